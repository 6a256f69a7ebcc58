// A message as it is shown. A turn is { message, node, update(versions, running) }.

import { attachmentList } from "./attachments.js"
import { button, copyButton, element, fitHeight, icon, iconButton, isSendKey, scrollable } from "./dom.js"
import { duration, endingOf, statistics } from "./format.js"
import { Markdown } from "./markdown.js"

export const makeTurn = (message, actions) => ({ message, ...kinds[message.role](message, actions) })

const kinds = { user: question, assistant: answer, tool: results }

const article = (name, kind, ...children) =>
	element("article", { class: `turn ${kind}` }, element("h2", { class: "unseen" }, name), ...children)

function question(message, actions) {
	const { text, attachments } = message
	const versions = versionsView(message, actions)
	const edit = iconButton("Edit message", "edit", () => {
		const editor = editorOf(text, (words) => actions.edit(message, words), () => (editor.replaceWith(body), edit.focus()))
		body.replaceWith(editor)
		editor.firstChild.focus()
	})
	const bubble = text && element("div", { class: "bubble" }, text)
	const footer = element("footer", {}, versions.node, copyButton("Copy message", () => text), edit)
	const body = element("div", { class: "question-body" }, attachmentList(attachments), bubble, footer)
	return { node: article("You", "question", body), update: versions.show }
}

function editorOf(text, onsend, onclose) {
	const send = () => field.value.trim() && onsend(field.value.trim())
	const fit = () => fitHeight(field)
	const field = element("textarea", { "aria-label": "Edit message", oninput: fit, onfocus: fit })
	field.value = text
	field.onkeydown = (event) => {
		if (event.isComposing || (event.key !== "Escape" && !isSendKey(event))) return
		event.preventDefault()
		event.stopPropagation()
		if (event.key === "Escape") onclose()
		else send()
	}
	const buttons = element("div", { class: "buttons" }, button("Cancel", onclose), button("Send", send, { class: "primary" }))
	return element("div", { class: "editor" }, field, buttons)
}

function answer(message, actions) {
	const [thoughts, versions, note] = [thinkingView(), versionsView(message, actions), noteView(message, actions)]
	const [calls, waiting, stats] = [element("div"), element("p", { class: "waiting" }), element("span", { class: "stats" })]
	const reply = replyView(message, actions)
	const again = iconButton("Answer again", "again", () => actions.regenerate(message))
	const footer = element("footer", {}, versions.node, copyButton("Copy answer", () => message.text), again, stats)
	let [markdown, grew] = [new Markdown(), null]
	const node = article("Answer", "answer", thoughts.node, markdown.node, calls, reply.node, waiting, note.node, footer)

	function showText(running) {
		if (!running && grew === false) return
		if (running && grew === false) {
			// An answer that goes on is shown anew: its last block was shown as finished.
			const old = markdown.node
			markdown = new Markdown()
			old.replaceWith(markdown.node)
		}
		grew = running
		markdown.show(message.text, running)
	}

	function update(all, running) {
		const { text, reasoning, toolCalls, progress } = message
		thoughts.show(message, running)
		showText(running)
		calls.replaceChildren(...(toolCalls ?? []).map(callView))
		reply.show(running)
		waiting.hidden = !running || text || reasoning || toolCalls
		waiting.textContent = progress ? `Reading… ${Math.floor(100 * progress)} %` : "Reading…"
		note.show(running)
		stats.textContent = statistics(message.stats)
		footer.classList.toggle("running", running)
		versions.show(all)
	}
	return { node, update }
}

/** Why an answer ended before its end, and what can be done about it. */
function noteView(message, { goOn, regenerate }) {
	const node = element("div", { class: "note" })
	const show = (running) => {
		const { state, text, toolCalls } = message
		const words = endingOf(message)
		node.hidden = running || !words
		if (node.hidden || node.firstChild?.data === words) return
		node.classList.toggle("failed", state === "failed")
		const [label, action] = text && !toolCalls ? ["Continue", goOn] : ["Try again", regenerate]
		node.replaceChildren(words, button(label, () => action(message)))
	}
	return { node, show }
}

/** Has somebody say what the functions return that an answer calls: nothing is run here. */
function replyView(message, actions) {
	const node = element("div", { class: "reply" })
	const open = button("Answer the calls", () => {
		const fields = message.toolCalls.map(({ name }) => element("textarea", { "aria-label": `Result of ${name}` }))
		const close = () => node.replaceChildren(open)
		const send = () => (close(), actions.answerCalls(message, fields.map(({ value }) => value)))
		const buttons = element("div", { class: "buttons" }, button("Cancel", () => (close(), open.focus())),
			button("Send", send, { class: "primary" }))
		const labelled = fields.map((field, index) =>
			element("label", {}, element("code", {}, message.toolCalls[index].name), " returns", field))
		node.replaceChildren(element("div", { class: "editor" }, ...labelled, buttons))
		fields[0].focus()
	})
	node.append(open)
	return { node, show: (running) => (node.hidden = running || !message.toolCalls?.length || message.state !== "done") }
}

/** What functions returned, as somebody said it. */
function results(message, actions) {
	const versions = versionsView(message, actions)
	const shown = message.results.map(({ name, text }) => element("div", { class: "call" },
		element("p", {}, icon("tool"), element("code", {}, name), " returns"), scrollable("pre", "Result", text)))
	return { node: article("Results", "answer", ...shown, element("footer", {}, versions.node)), update: versions.show }
}

/** A function that the answer calls. */
const callView = ({ name, arguments: pieces }) => element("div", { class: "call" },
	element("p", {}, icon("tool"), "Calls ", element("code", {}, name)), scrollable("pre", "Arguments", indented(pieces)))

function indented(json) {
	try {
		return JSON.stringify(JSON.parse(json), null, 2)
	} catch {
		return json
	}
}

/** Thoughts are folded, and rendered only while they are open. */
function thinkingView() {
	const [title, markdown] = [element("span"), new Markdown()]
	let [reasoning, thinks, finished] = ["", false, false]
	const render = () => {
		if (!node.open || !reasoning || finished) return
		finished = !thinks
		markdown.show(reasoning, thinks)
	}
	const summary = element("summary", {}, icon("right"), title)
	const node = element("details", { class: "thinking", ontoggle: render }, summary, markdown.node)
	const show = (message, running) => {
		reasoning = message.reasoning
		thinks = running && message.thinkingTime == null
		node.hidden = !reasoning
		node.classList.toggle("running", thinks)
		title.textContent = thinks ? "Thinking…" : `Thought for ${duration(message.thinkingTime ?? 0)}`
		render()
	}
	return { node, show }
}

/** "2 / 3" where a message was edited or answered again; pressed, it shows the next of them. */
function versionsView(message, { select }) {
	let next = null
	const node = button("", () => select(next), { class: "versions", title: "Other version" })
	const show = (all) => {
		const index = all.indexOf(message)
		next = all[(index + 1) % all.length]
		node.hidden = all.length < 2
		node.textContent = `${index + 1} / ${all.length}`
	}
	return { node, show }
}
