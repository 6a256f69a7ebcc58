// Markdown within a paragraph, in one pass with a stack of open marks: one that finds its partner wraps what came between,
// one that does not is text. The stack is shallow and no expression looks far ahead, so the time is always linear.

import { element } from "./dom.js"

const constructs = new RegExp([
	/\\[([]|\$\$/, // mathematics
	/\\[!-/:-@[-`{-~]/, // an escaped character
	/`+|\*+|_+|~~/,
	/!?\[|\]/,
	/<br ?\/?>|<(?:https?|mailto):[^\s<>]*>/,
	/https?:\/\/(?:\([^\s<>()[\]]*\)|[^\s<>()[\]])+/,
	/\n/,
].map((part) => part.source).join("|"), "gi")
const destination = /\(<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?: "[^"\n]*")?\)/y
const openDestination = /\([^()\n]*$/y
const closings = { "\\(": /\\\)/g, "\\[": /\\\]/g, $$: /\$\$/g }
const deepest = 24

export function inlineNodes(source, grows) {
	return new Inline(grows ? withoutTrailing(source, "*_~`\\[") : source, grows).nodes()
}

/** Only the label where the address may not be opened. */
function link(label, address) {
	const url = URL.canParse(address) && new URL(address)
	if (!["http:", "https:", "mailto:"].includes(url?.protocol)) return element("span", {}, ...label)
	const node = element("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, ...label)
	for (const inner of node.querySelectorAll("a")) inner.replaceWith(...inner.childNodes)
	return node
}

const autolink = (address) => link([address.replace(/^mailto:/i, "")], address)

class Inline {
	constructor(source, grows) {
		Object.assign(this, { source, grows, at: 0, unclosed: new Set(), frames: [{ mark: "", count: 0, nodes: [] }] })
	}

	nodes() {
		for (let match; (match = this.next()); ) {
			this.push(this.source.slice(this.at, match.index))
			this.at = match.index + match[0].length
			this.take(match[0], match.index)
		}
		this.push(this.source.slice(this.at))
		while (this.frames.length > 1) this.dissolve(this.grows)
		return this.frames[0].nodes
	}

	next() {
		constructs.lastIndex = this.at
		return constructs.exec(this.source)
	}

	push(...nodes) {
		this.frames.at(-1).nodes.push(...nodes.filter((node) => node !== ""))
	}

	take(text, start) {
		switch (text[0]) {
			case "\\": return closings[text] ? this.verbatim(closings[text], text[1], "mathematics") : this.push(text[1])
			case "$": return this.verbatim(closings.$$, text, "mathematics")
			case "`": return this.verbatim(new RegExp(`(?<!\`)\`{${text.length}}(?!\`)`, "g"), text)
			case "*": case "_": case "~": return this.emphasis(text[0], text.length, start)
			case "!": case "[": return this.open(text, 1)
			case "]": return this.closeBracket()
			case "<": return this.push(/^<br/i.test(text) ? element("br") : autolink(text.slice(1, -1)))
			case "\n": return this.push(element("br"))
			default: return this.bareLink(text)
		}
	}

	open(mark, count) {
		if (this.frames.length > deepest) this.push(mark.repeat(count))
		else this.frames.push({ mark, count, nodes: [] })
	}

	/** Text up to `close` as it is. Where that never comes, the opening mark is text. */
	verbatim(close, mark, name) {
		close.lastIndex = this.at
		const end = this.unclosed.has(close.source) ? null : close.exec(this.source)
		if (!end) this.unclosed.add(close.source)
		if (!end && !this.grows) return this.push(mark)
		const text = this.source.slice(this.at, end?.index).replaceAll("\n", " ")
		this.at = end ? close.lastIndex : this.source.length
		const padded = text.startsWith(" ") && text.endsWith(" ") && text.trim()
		this.push(element("code", { class: name }, padded ? text.slice(1, -1) : text))
	}

	/** CommonMark's rules leave `**` beside Chinese punctuation alone, so spaces decide; `_` stays out of words. */
	emphasis(mark, count, start) {
		const [before, after] = [this.source[start - 1] ?? " ", this.source[this.at] ?? " "]
		const inWord = mark === "_" && /[\p{L}\p{N}]{2}/u.test(before + after)
		const left = !inWord && /\S/.test(before) ? this.closeEmphasis(mark, count) : count
		if (left && left < 4 && !inWord && /\S/.test(after)) this.open(mark, left)
		else this.push(mark.repeat(left))
	}

	closeEmphasis(mark, count) {
		for (let at; count > 0 && (at = this.unwindTo((frame) => frame.mark === mark)); ) count -= this.wrap(at, count)
		return count
	}

	unwindTo(wanted) {
		const at = this.frames.findLastIndex(wanted)
		while (at > 0 && this.frames.length - 1 > at) this.dissolve(false)
		return this.frames[at]
	}

	wrap(frame, available) {
		const used = Math.min(frame.count, available, 2)
		frame.nodes = [element(frame.mark === "~" ? "del" : used > 1 ? "strong" : "em", {}, ...frame.nodes)]
		frame.count -= used
		if (!frame.count) this.push(...(this.frames.pop(), frame.nodes))
		return used
	}

	closeBracket() {
		const frame = this.unwindTo(({ mark }) => mark.endsWith("["))
		const address = frame && this.addressHere()
		if (address == null) {
			const mayCome = this.grows && this.at === this.source.length
			if (frame) this.dissolve(mayCome)
			return this.push(frame && mayCome ? "" : "]")
		}
		this.frames.pop()
		this.push(link(frame.nodes.length ? frame.nodes : [address], address))
	}

	/** The address that begins here, "" if it is still being written. */
	addressHere() {
		for (const pattern of this.grows ? [destination, openDestination] : [destination]) {
			pattern.lastIndex = this.at
			const match = pattern.exec(this.source)
			if (!match) continue
			this.at = pattern.lastIndex
			return match[1] ?? ""
		}
		return null
	}

	/** Ends the last frame without its partner, which may still come. */
	dissolve(mayClose) {
		const frame = this.frames.at(-1)
		const isBracket = frame.mark.endsWith("[")
		if (mayClose && frame.nodes.length && !isBracket) {
			while (frame.count) this.wrap(frame, frame.count)
		} else {
			this.frames.pop()
			this.push(mayClose && isBracket ? "" : frame.mark.repeat(frame.count), ...frame.nodes)
		}
	}

	bareLink(text) {
		const address = withoutTrailing(text, ".,:;!?\"'*_~`|")
		this.at -= text.length - address.length
		this.push(autolink(address))
	}
}

function withoutTrailing(text, characters) {
	let end = text.length
	while (end > 0 && characters.includes(text[end - 1])) end -= 1
	return text.slice(0, end)
}
