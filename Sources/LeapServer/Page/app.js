// The page: what happens when something is sent, stopped, chosen or changed.

import { announce } from "./announcer.js"
import { setRunning, startComposer } from "./composer.js"
import { Conversation, untitled } from "./conversation.js"
import { find, icon, say } from "./dom.js"
import { count } from "./format.js"
import { generate } from "./generation.js"
import { chooseModel, chosenModel, connect, contextLength } from "./models.js"
import { chatRequest } from "./request.js"
import { defaultSettings, openSettings } from "./settings.js"
import { closeSidebar, openSidebar, showSidebar, startSidebar } from "./sidebar.js"
import * as store from "./store.js"
import { download, readConversations } from "./transfer.js"
import { scrollToEnd, showTranscript, updateAtFrame } from "./transcript.js"

const savedEvery = 1000
const nearlyFull = 0.9

let conversation = null
let settings = {}
/** The answers being written, by conversation: one may go on while another is read. */
const running = new Map()

// What is shown

function show() {
	const title = conversation?.head.title ?? untitled
	const written = running.get(conversation?.id)
	showTranscript(conversation, written?.message, { edit, regenerate, goOn, select, answerCalls })
	showSidebar(store.newestFirst(), conversation?.id, running)
	setRunning(Boolean(written))
	showContext()
	find("title").textContent = title
	document.title = conversation ? `${title} · leap` : "leap"
	find("welcome").hidden = Boolean(conversation)
	find("export").hidden = !conversation
}

/** How much of the model's context the conversation fills, as of its last answer. */
function showContext() {
	const stats = conversation?.path.findLast((message) => message.stats?.promptTokens)?.stats
	const used = stats && stats.promptTokens + stats.answerTokens
	const limit = contextLength()
	find("context").textContent = stats ? `${count(used)}${limit ? ` of ${count(limit)}` : ""} tokens` : ""
	find("context").classList.toggle("problem", used > nearlyFull * limit)
}

const routedID = () => location.hash.replace(/^#\/?/, "")

async function openRoute() {
	const id = routedID()
	const found = await store.findConversation(id)
	if (id !== routedID()) return
	if (id && !found) return void (location.hash = "#/")
	closeSidebar()
	if (found && found === conversation) return
	conversation = found
	settings = defaultSettings()
	if (found) chooseModel(found.head.model).then(modelChanged)
	show()
	find("prompt").focus()
}

function newChat() {
	location.hash = "#/"
	closeSidebar()
	find("prompt").focus()
}

function modelChanged() {
	showContext()
	if (!conversation || ["", conversation.head.model].includes(chosenModel())) return
	conversation.head.model = chosenModel()
	store.save(conversation)
}

// Messages

function send(words) {
	if (!chosenModel()) return void say("No model is available.")
	if (!conversation) {
		conversation = Conversation.begin(settings, chosenModel())
		store.addConversation(conversation)
		location.hash = `#/${conversation.id}`
	}
	append({ role: "user", ...words })
	answer()
	return true
}

function append(fields, parent) {
	const message = conversation.append(fields, parent)
	store.save(conversation, message)
	return message
}

const appendAnswer = (parent) => append({ role: "assistant", model: chosenModel() }, parent)

function edit({ attachments, parent }, text) {
	stop()
	append({ role: "user", text, attachments }, parent)
	answer()
}

function regenerate({ parent }) {
	stop()
	answer(appendAnswer(parent))
}

function goOn(message) {
	stop()
	answer(message)
}

/** What functions return, in the order in which `message` calls them. */
function answerCalls(message, texts) {
	stop()
	const results = message.toolCalls.map(({ id, name }, index) => ({ id, name, text: texts[index] }))
	append({ role: "tool", results }, message.id)
	answer()
}

function select(message) {
	conversation.select(message)
	store.save(conversation)
	show()
}

const stop = () => running.get(conversation?.id)?.abort.abort()

/** Has the branch that is shown answered: by a new message at its end, or by more of an old one. */
async function answer(message = appendAnswer()) {
	const asked = conversation
	const writing = { message, asked, abort: new AbortController() }
	const request = chatRequest(asked.pathTo(message.id), chosenModel(), asked.head.settings)
	Object.assign(message, { state: "running", error: null, stats: {} })
	running.set(asked.id, writing)
	show()
	scrollToEnd()
	announce(message)
	let saved = Date.now()
	await generate(message, request, writing.abort, () => {
		if (asked === conversation) updateAtFrame()
		if (Date.now() < saved + savedEvery) return
		saved = Date.now()
		store.save(asked, message)
	})
	if (running.get(asked.id) === writing) running.delete(asked.id)
	store.save(asked, message)
	if (asked === conversation) announce(message)
	show()
}

function saveRunning() {
	for (const { asked, message } of running.values()) store.save(asked, message)
}

// Conversations

function changeSettings() {
	openSettings(conversation?.head.settings ?? settings, (chosen) => {
		settings = chosen
		if (!conversation) return
		conversation.head.settings = chosen
		store.save(conversation)
	})
}

async function rename(id, title) {
	const renamed = await store.findConversation(id)
	renamed.head.title = title
	store.save(renamed)
	show()
}

async function remove(id) {
	running.get(id)?.abort.abort()
	const records = await store.recordsOf([id])
	await store.removeConversation(id)
	if (id === conversation?.id) newChat()
	else show()
	say(`“${records[0].head.title}” was deleted.`, { label: "Undo", run: () => store.addRecords(records).then(show) })
}

async function importFile({ target }) {
	try {
		const added = await store.addRecords(await readConversations(target.files[0]))
		say(added === 1 ? "One chat was added." : `${added} chats were added.`)
		show()
	} catch ({ message }) {
		say(message)
	}
	target.value = ""
}

const exportChats = async (heads) => download(await store.recordsOf(heads.map(({ id }) => id)))

const buttons = {
	"new-chat": newChat,
	"new-chat-bar": newChat,
	"open-settings": changeSettings,
	import: () => find("import-file").click(),
	export: () => exportChats([conversation.head]),
	"export-all": () => exportChats(store.newestFirst()),
}

function takeKey(event) {
	const command = event.ctrlKey || event.metaKey
	const key = event.key.toLowerCase()
	if (document.querySelector("dialog[open]")) return
	if (command && event.shiftKey && key === "o") newChat()
	else if (command && !event.shiftKey && key === "k") openSidebar(find("search"))
	else if (key === "escape" && running.has(conversation?.id)) stop()
	else if (key !== "escape" || !closeSidebar()) return
	event.preventDefault()
}

for (const node of document.querySelectorAll("[data-icon]")) {
	node.classList.toggle("icon-button", node.matches("button:empty"))
	node.prepend(icon(node.dataset.icon))
}
for (const [id, action] of Object.entries(buttons)) find(id).onclick = action
find("import-file").onchange = importFile
addEventListener("keydown", takeKey)
addEventListener("hashchange", openRoute)
addEventListener("pagehide", saveRunning)
addEventListener("visibilitychange", () => store.refreshHeads().then(show))
startComposer(send, stop)
startSidebar({ search: store.searchMessages, rename, remove })
connect(modelChanged)
await store.openStore()
await openRoute()
