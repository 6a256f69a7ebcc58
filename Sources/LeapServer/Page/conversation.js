// A conversation is a tree of messages: another question or answer begins a branch beside the old one, and the head's
// `leaf` is the end of the branch that is shown. Heads and messages are plain records, as they are stored and exported.

import { newID } from "./dom.js"

export const untitled = "New chat"
const titleLength = 60

export class Conversation {
	constructor(head, messages = []) {
		this.head = head
		this.messages = new Map(messages.sort((a, b) => a.created - b.created).map((each) => [each.id, each]))
	}

	static begin(settings, model) {
		const now = Date.now()
		return new Conversation({ id: newID(), title: untitled, created: now, updated: now, model, settings, leaf: null })
	}

	get id() {
		return this.head.id
	}

	get path() {
		return this.pathTo(this.head.leaf)
	}

	/** The messages from the first to the one with the id `end`. */
	pathTo(end) {
		const path = new Set()
		for (let at = end, next; (next = this.messages.get(at)) && !path.has(next); at = next.parent) path.add(next)
		return [...path].reverse()
	}

	/** Versions of each other. */
	after(parent) {
		return [...this.messages.values()].filter((each) => each.parent === parent)
	}

	append(fields, parent = this.head.leaf) {
		const created = Date.now()
		const message = { id: newID(), conversation: this.id, parent, created, text: "", ...fields }
		this.messages.set(message.id, message)
		Object.assign(this.head, { leaf: message.id, updated: created })
		if (this.head.title === untitled) this.head.title = titleOf(message)
		return message
	}

	/** Shows the branch of a message, to its newest end. */
	select(message) {
		for (let next = message; next; next = this.after(next.id).at(-1)) this.head.leaf = next.id
	}
}

function titleOf({ text, attachments }) {
	const [line] = (text.trim() || attachments?.[0]?.name || untitled).split("\n")
	return line.length > titleLength ? `${line.slice(0, titleLength).trimEnd()}…` : line
}
