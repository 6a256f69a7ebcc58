// Elements are made here and never from markup: what a model writes stays text.

/** element("button", { class: "primary", onclick: send }, "Send"); absent children are left out. */
export function element(name, attributes, ...children) {
	const node = document.createElement(name)
	for (const [key, value] of Object.entries(attributes ?? {})) {
		if (key.startsWith("on")) node.addEventListener(key.slice(2), value)
		else if (value != null && value !== false) node.setAttribute(key, value === true ? "" : value)
	}
	node.append(...children.filter(Boolean))
	return node
}

export const find = (id) => document.getElementById(id)

export function icon(name) {
	const [svg, use] = ["svg", "use"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag))
	svg.classList.add("icon")
	svg.setAttribute("viewBox", "0 0 24 24")
	svg.ariaHidden = "true"
	use.setAttribute("href", `#icon-${name}`)
	svg.append(use)
	return svg
}

export const button = (label, onclick, attributes) => element("button", { type: "button", onclick, ...attributes }, label)

export const iconButton = (title, name, onclick, attributes) =>
	button(icon(name), onclick, { title, class: "icon-button", ...attributes })

/** What may be wider than its place, to be scrolled by keys too. */
export const scrollable = (name, label, ...children) =>
	element(name, { tabindex: 0, role: "group", "aria-label": label }, ...children)

/** `crypto.randomUUID` is missing where the page came by plain HTTP. */
export const newID = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("")

/** What `area`, "localStorage" or "sessionStorage", has kept under a name; null where the browser keeps nothing. */
export function kept(area, name) {
	try {
		return globalThis[area].getItem(name)
	} catch {
		return null
	}
}

export function keep(area, name, value) {
	try {
		globalThis[area].setItem(name, value)
	} catch {
		// The page goes on without.
	}
}

export function fitHeight(field) {
	field.style.height = "auto"
	field.style.height = `${field.scrollHeight}px`
}

/** While an input method composes, and on phones, Enter is its own. */
export const isSendKey = (event) =>
	event.key === "Enter" && !event.shiftKey && !event.isComposing && !matchMedia("(pointer: coarse)").matches

const noticeTime = 8000

export function say(words, action) {
	const remove = () => notice.remove()
	const act = () => (remove(), action.run())
	const notice = element("div", { class: "notice" }, words, action && button(action.label, act),
		iconButton("Dismiss", "close", remove))
	find("notices").append(notice)
	setTimeout(remove, noticeTime)
}

/** Copies, and has the button say so. There is no clipboard where the page came by plain HTTP. */
export async function copy(text, node) {
	if (navigator.clipboard) await navigator.clipboard.writeText(text)
	else copySelected(text)
	node.replaceChildren(icon("check"), element("span", { class: "unseen", role: "status" }, "Copied"))
	setTimeout(() => node.replaceChildren(icon("copy")), 1500)
}

function copySelected(text) {
	const focused = document.activeElement
	const field = element("textarea", { class: "unseen" })
	field.value = text
	document.body.append(field)
	field.select()
	document.execCommand("copy")
	field.remove()
	focused?.focus()
}

export const copyButton = (title, text) => iconButton(title, "copy", (event) => copy(text(), event.currentTarget))
