// Asks for the server's key. Requests that need it at the same time wait for one answer.

import { find } from "./dom.js"

let answer = null

export function askForKey(refused) {
	answer ??= ask(refused).finally(() => (answer = null))
	return answer
}

function ask(refused) {
	const [dialog, form, field, problem] = ["key", "key-form", "key-field", "key-problem"].map(find)
	let key = null
	problem.textContent = refused ? "The server rejected this key." : ""
	field.value = ""
	form.onsubmit = (event) => {
		event.preventDefault()
		key = field.value.trim()
		dialog.close()
	}
	dialog.showModal()
	return new Promise((resolve) => dialog.addEventListener("close", () => resolve(key), { once: true }))
}
