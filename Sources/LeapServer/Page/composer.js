// Where a message is written: the field, its attachments, and the button that sends or stops.

import { attachmentList, readAttachment } from "./attachments.js"
import { find, fitHeight, icon, isSendKey, say } from "./dom.js"
import { modelSees } from "./models.js"

const [form, field, button, input] = ["composer", "prompt", "send", "files"].map(find)
let attachments = []
let running = false

/** `onsend({ text, attachments })` says whether it was sent. */
export function startComposer(onsend, onstop) {
	const send = () => {
		const words = { text: field.value.trim(), attachments }
		if (!(words.text || attachments.length) || !onsend(words)) return
		field.value = ""
		setAttachments([])
	}
	form.onsubmit = (event) => {
		event.preventDefault()
		if (running) onstop()
		else send()
	}
	field.onkeydown = (event) => {
		if (!isSendKey(event)) return
		event.preventDefault()
		if (!running) send()
	}
	field.oninput = fit
	find("attach").onclick = () => input.click()
	input.onchange = () => attach([...input.files])
	field.onpaste = (event) => takeFiles(event, event.clipboardData)
	ondrop = (event) => takeFiles(event, event.dataTransfer)
	ondragover = (event) => event.dataTransfer.types.includes("Files") && event.preventDefault()
}

function takeFiles(event, { files }) {
	if (!files.length) return
	event.preventDefault()
	attach([...files])
}

async function attach(files) {
	input.value = ""
	for (const file of files) {
		await readAttachment(file, modelSees).then((each) => attachments.push(each), (error) => say(error.message))
	}
	setAttachments(attachments)
}

function setAttachments(list) {
	attachments = list
	find("chosen").replaceChildren(attachmentList(list, (index) => setAttachments(list.toSpliced(index, 1))) || "")
	fit()
	field.focus()
}

export function setRunning(isRunning) {
	running = isRunning
	button.classList.toggle("stop", running)
	button.title = running ? "Stop (Esc)" : "Send (Enter)"
	button.replaceChildren(icon(running ? "stop" : "send"))
	fit()
}

function fit() {
	fitHeight(field)
	button.disabled = !running && !field.value.trim() && !attachments.length
}
