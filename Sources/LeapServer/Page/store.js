// All conversations, in IndexedDB: a record per head and per message, so that saving an answer costs no more than the
// answer. Those that were opened are in memory too, and where the browser keeps nothing, only there.

import { Conversation } from "./conversation.js"
import { say } from "./dom.js"

let [database, heads, told] = [null, new Map(), null]
const opened = new Map()
/** Heads of which the newest is not on the disk. */
const unsaved = new Map()

export async function openStore() {
	await trying(async () => {
		const request = indexedDB.open(`leap:${location.pathname}`, 1)
		request.onupgradeneeded = () => {
			request.result.createObjectStore("heads", { keyPath: "id" })
			request.result.createObjectStore("messages", { keyPath: "id" }).createIndex("conversation", "conversation")
		}
		database = await result(request)
		// A newer page in another tab must not wait for this one.
		database.onversionchange = () => database.close()
	})
	await refreshHeads()
}

export async function refreshHeads() {
	if (!database) return
	const all = await result(read("heads").getAll())
	heads = new Map([...all.map((head) => [head.id, opened.get(head.id)?.head ?? head]), ...unsaved])
}

export const newestFirst = () => [...heads.values()].sort((a, b) => b.updated - a.updated)

export function addConversation(conversation) {
	heads.set(conversation.id, conversation.head)
	opened.set(conversation.id, conversation)
}

export async function findConversation(id) {
	if (heads.has(id) && !opened.has(id)) addConversation(new Conversation(heads.get(id), await messagesOf(id)))
	return opened.get(id) ?? null
}

async function messagesOf(id) {
	return opened.has(id) ? [...opened.get(id).messages.values()] : result(read("messages").index("conversation").getAll(id))
}

/** Saves the head, and `messages` with it: not those of a conversation that was deleted while its answer was written. */
export async function save({ head }, ...messages) {
	if (!opened.has(head.id)) return
	unsaved.set(head.id, head)
	const written = await write((headStore, messageStore) => {
		headStore.put(head)
		for (const message of messages) messageStore.put(message)
	})
	if (written) unsaved.delete(head.id)
}

export function removeConversation(id) {
	for (const known of [heads, opened, unsaved]) known.delete(id)
	return write((headStore, messageStore) => {
		headStore.delete(id)
		const keys = messageStore.index("conversation").getAllKeys(id)
		keys.onsuccess = () => keys.result.forEach((key) => messageStore.delete(key))
	})
}

export const recordsOf = (ids) =>
	Promise.all(ids.map(async (id) => ({ head: heads.get(id), messages: await messagesOf(id) })))

/** Adds the conversations that are not here, and says how many: nothing that is here is overwritten. */
export async function addRecords(records) {
	const added = records.filter(({ head }) => !heads.has(head.id))
	for (const { head, messages } of added) {
		const conversation = new Conversation(head, messages)
		addConversation(conversation)
		await save(conversation, ...messages)
	}
	return added.length
}

/** Where `term` was said. One message at a time is in memory. */
export async function searchMessages(term) {
	const found = new Set()
	const cursors = database && read("messages").openCursor()
	for (let cursor; cursors && (cursor = await result(cursors)); cursor.continue()) {
		if (cursor.value.text.toLowerCase().includes(term)) found.add(cursor.value.conversation)
	}
	return found
}

const read = (name) => database.transaction(name).objectStore(name)

const write = (change) => database && trying(() => {
	const names = ["heads", "messages"]
	const transaction = database.transaction(names, "readwrite")
	change(...names.map((name) => transaction.objectStore(name)))
	return new Promise((resolve, reject) => {
		transaction.oncomplete = resolve
		transaction.onabort = () => reject(transaction.error)
	})
})

/** Resolves to whether it was done. A problem is told once; the page goes on without. */
async function trying(action) {
	try {
		await action()
		return true
	} catch (error) {
		if (told !== error.name) say(`Chats cannot be saved in this browser: ${error.message || error.name}`)
		told = error.name
	}
}

function result(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result)
		request.onerror = () => reject(request.error)
	})
}
