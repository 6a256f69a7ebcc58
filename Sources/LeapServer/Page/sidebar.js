// The list of conversations. On narrow screens it lies over the page, which cannot be reached meanwhile.

import { element, find, iconButton } from "./dom.js"
import { age } from "./format.js"

const narrow = matchMedia("(max-width: 55rem)")
const [sidebar, list, field, menu] = ["sidebar", "conversations", "search", "menu"].map(find)
let [actions, heads, current, running] = [null, [], null, null]
let [term, found, renaming, pressed] = ["", null, false, false]

/** `given`: `search(term)` resolves to ids, `rename(id, title)`, `remove(id)`. */
export function startSidebar(given) {
	actions = given
	field.oninput = search
	menu.onclick = () => openSidebar(find("close-menu"))
	find("close-menu").onclick = find("scrim").onclick = closeSidebar
	list.onpointerdown = () => (pressed = true)
	for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(release))
	narrow.onchange = () => setOpen(false)
	setOpen(false)
}

function setOpen(open) {
	sidebar.classList.toggle("open", open)
	sidebar.inert = narrow.matches && !open
	find("main").inert = open
	menu.ariaExpanded = open
}

export function openSidebar(focused) {
	setOpen(narrow.matches)
	focused.focus()
}

export function closeSidebar() {
	if (!sidebar.classList.contains("open")) return false
	setOpen(false)
	menu.focus()
	return true
}

export function showSidebar(...shown) {
	[heads, current, running] = shown
	if (!renaming) render()
}

async function search() {
	const wanted = (term = field.value.trim().toLowerCase())
	const ids = wanted ? await actions.search(wanted) : null
	if (term !== wanted) return
	found = ids
	render()
}

function release() {
	if (!pressed) return
	pressed = false
	showSidebar(heads, current, running)
}

/** Not while a button of the list is pressed: it would be gone before its click. The focus stays where it was. */
function render() {
	if (pressed) return
	const { href, title } = list.contains(document.activeElement) ? document.activeElement : {}
	const shown = heads.filter(({ id, title }) => !found || found.has(id) || title.toLowerCase().includes(term))
	const groups = [...Map.groupBy(shown, ({ updated }) => age(updated))]
	const nothing = !groups.length && element("p", { class: "quiet" }, found ? "Nothing found." : "No chats yet.")
	list.replaceChildren(nothing || "", ...groups.map(([name, members]) =>
		element("section", {}, element("h2", {}, name), element("ul", {}, ...members.map(item)))))
	if (href || title) [...list.querySelectorAll("a, button")].find((node) => node.href === href && node.title === title)?.focus()
}

function item({ id, title }) {
	const line = element(
		"li", { class: running.has(id) && "running" },
		element("a", { href: `#/${id}`, "aria-current": id === current && "page" }, title),
		iconButton(`Rename ${title}`, "edit", () => rename(id, title, line)),
		iconButton(`Delete ${title}`, "bin", () => actions.remove(id)),
	)
	return line
}

function rename(id, title, line) {
	const input = element("input", { "aria-label": "Title", value: title })
	input.onblur = () => {
		renaming = false
		const chosen = input.value.trim() || title
		line.replaceWith((line = item({ id, title: chosen })))
		if (chosen === title) render()
		else actions.rename(id, chosen)
	}
	input.onkeydown = (event) => {
		if (event.isComposing || (event.key !== "Escape" && event.key !== "Enter")) return
		if (event.key === "Escape") input.value = title
		event.stopPropagation()
		input.blur()
		line.firstChild.focus()
	}
	renaming = true
	line.replaceChildren(input)
	input.select()
}
