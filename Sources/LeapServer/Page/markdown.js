// Shows markdown while it is written. Only the last block is parsed again, and only what changed in it rendered again.

import { parseBlocks } from "./blocks.js"
import { copyButton, element, scrollable } from "./dom.js"
import { inlineNodes } from "./inline.js"

/** Quotes and lists within more than this are text. */
const deepest = 12

export class Markdown {
	constructor() {
		this.node = element("div", { class: "markdown" })
		this.list = new BlockList(this.node, 0)
		this.settled = 0
	}

	/** Shows `source`, which goes on from what was shown before. */
	show(source, grows) {
		const lines = source.slice(this.settled).split("\n")
		const blocks = parseBlocks(lines, grows)
		this.list.show(blocks, grows)
		if (!blocks.length || !grows) return
		this.list.views.splice(0, blocks.length - 1)
		for (const line of lines.slice(0, blocks.at(-1).first)) this.settled += line.length + 1
	}
}

/** The blocks in one element. A view has a `node`, and shows what becomes of its block. */
class BlockList {
	constructor(parent, depth) {
		Object.assign(this, { parent, depth, views: [] })
	}

	show(blocks, grows) {
		keepInStep(this.views, this.parent, blocks, grows, (block) => makeView(block, this.depth), kindOf)
	}
}

const kindOf = ({ kind, level, start }) => `${kind} ${level} ${start === null}`

/** Keeps a view for each part, and makes another where a part has become one of another kind. */
function keepInStep(views, parent, parts, grows, makeView, kindOf) {
	parts.forEach((part, index) => {
		const old = views[index]
		const kind = kindOf?.(part)
		const view = old?.kind === kind ? (old ?? makeView(part)) : makeView(part)
		views[index] = Object.assign(view, { kind })
		view.show(part, grows && index === parts.length - 1)
		if (view === old) return
		if (old) old.node.replaceWith(view.node)
		else parent.append(view.node)
	})
	for (const { node } of views.splice(parts.length)) node.remove()
}

function makeView(block, depth) {
	const nests = depth < deepest
	switch (block.kind) {
		case "code": return codeView()
		// One level for all: those of a page may not be left out, and models leave them out.
		case "heading": return textView(element("h3", { class: `level-${block.level}` }))
		case "list": return nests ? listView(block, depth + 1) : textView(element("p"))
		case "quote": return nests ? quoteView(depth + 1) : textView(element("p"))
		case "rule": return { node: element("hr"), show() {} }
		case "table": return tableView()
		default: return textView(element("p"))
	}
}

function onChange(render) {
	let [last, grew] = [null, null]
	return (source, grows, ...more) => {
		if (source === last && grows === grew) return
		last = source
		grew = grows
		render(source, grows, ...more)
	}
}

function textView(node) {
	const show = onChange((source, grows) => node.replaceChildren(...inlineNodes(source, grows)))
	return { node, show: ({ text, lines }, grows) => show(text ?? lines.join("\n"), grows) }
}

/** Code only gets longer, so that its text need not be laid out anew. */
function codeView() {
	const [name, code] = [element("span"), document.createTextNode("")]
	const caption = element("figcaption", {}, name, copyButton("Copy code", () => code.data))
	const node = element("figure", { class: "code" }, caption, scrollable("pre", "Code", element("code", {}, code)))
	const show = ({ language, text }) => {
		name.textContent = language
		if (text.startsWith(code.data)) code.appendData(text.slice(code.length))
		else code.data = text
	}
	return { node, show }
}

function quoteView(depth) {
	const node = element("blockquote")
	const list = new BlockList(node, depth)
	return { node, show: ({ inner }, grows) => list.show(parseBlocks(inner, grows), grows) }
}

function listView({ start }, depth) {
	const node = element(start === null ? "ul" : "ol", { start })
	const views = []
	return { node, show: ({ items }, grows) => keepInStep(views, node, items, grows, () => itemView(depth)) }
}

function itemView(depth) {
	const box = element("input", { type: "checkbox", disabled: true })
	const body = element("div")
	const node = element("li", {}, body)
	const list = new BlockList(body, depth)
	const show = onChange((_, grows, { done, inner }) => {
		node.classList.toggle("task", done !== null)
		if (done === null) box.remove()
		else node.prepend(box)
		box.checked = done
		box.ariaLabel = done ? "Done" : "To do"
		list.show(parseBlocks(inner, grows), grows)
	})
	return { node, show: (item, grows) => show(item.source, grows, item) }
}

function tableView() {
	const table = element("table")
	const row = (name, cells, { head, alignments }, grows) => element("tr", {}, ...head.map((_, index) =>
		element(name, { class: alignments[index] }, ...inlineNodes(cells[index] ?? "", grows))))
	const show = onChange((_, grows, block) => table.replaceChildren(
		element("thead", {}, row("th", block.head, block)),
		element("tbody", {}, ...block.rows.map((cells) => row("td", cells, block, grows))),
	))
	const node = scrollable("div", "Table", table)
	node.className = "table"
	return { node, show: (block, grows) => show(block.lines.join("\n"), grows, block) }
}
