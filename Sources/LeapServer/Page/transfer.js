// Conversations as a file, and back.

import { element } from "./dom.js"
import { cleanSettings } from "./settings.js"

const format = "leap-conversations"
const isText = (value) => typeof value === "string"
const isTextOrNothing = (value) => value == null || isText(value)

export function download(conversations) {
	const text = JSON.stringify({ format, version: 1, conversations }, null, 1)
	const href = URL.createObjectURL(new Blob([text], { type: "application/json" }))
	element("a", { href, download: "leap chats.json" }).click()
	setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

/** The conversations of a file, which is foreign: those that have a wrong shape are left out. Throws where there are none. */
export async function readConversations(file) {
	const content = await file.text().then(JSON.parse).catch(() => null)
	const found = content?.format === format && Array.isArray(content.conversations) ? content.conversations.filter(isConversation) : []
	if (!found.length) throw new Error(`${file.name} has no chats: it was not exported by this page.`)
	return found.map(({ head, messages }) => ({
		head: { ...head, settings: cleanSettings(head.settings) },
		messages: messages.map((message) => ({ ...message, conversation: head.id })),
	}))
}

const isConversation = (each) => isText(each?.head?.id) && isText(each.head.title) && Number.isFinite(each.head.updated) &&
	Array.isArray(each.messages) && each.messages.every(isMessage)

const isMessage = (each) => isText(each?.id) && ["user", "assistant", "tool"].includes(each.role) && isText(each.text) &&
	isTextOrNothing(each.reasoning) && [each.attachments, each.toolCalls, each.results].every(isListOrNothing) &&
	(each.role !== "tool" || Array.isArray(each.results))

const isListOrNothing = (list) => list == null || (Array.isArray(list) && list.every((each) => isText(each?.name) &&
	[each.id, each.text, each.image, each.arguments].every(isTextOrNothing)))
