// The settings of a conversation, in a dialog. An empty field leaves the choice to the server.

import { find, keep, kept } from "./dom.js"
import { usualSettings } from "./models.js"

const defaultsName = "leap-settings"
const numbers = ["temperature", "top_p", "max_tokens", "seed"]
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** Only what is known, and of the right kind. */
export function cleanSettings(settings) {
	const clean = Object.fromEntries(numbers.map((name) => [name, settings?.[name]]).filter(([, value]) => Number.isFinite(value)))
	for (const name of ["system", "reasoning_effort"]) {
		if (settings?.[name] && typeof settings[name] === "string") clean[name] = settings[name]
	}
	if (isObject(settings?.extra)) clean.extra = settings.extra
	return clean
}

export function defaultSettings() {
	try {
		return cleanSettings(JSON.parse(kept("localStorage", defaultsName)))
	} catch {
		return {}
	}
}

export function openSettings(settings, onsave) {
	const usual = usualSettings()
	const [dialog, form, problem] = ["settings", "settings-form", "settings-problem"].map(find)
	const fields = form.elements
	form.reset()
	problem.textContent = ""
	for (const name of ["system", "reasoning_effort", ...numbers]) fields[name].value = settings[name] ?? ""
	for (const name of numbers) fields[name].placeholder = usual[name] >= 0 ? Number(usual[name].toFixed(4)) : "server’s"
	fields.extra.value = settings.extra ? JSON.stringify(settings.extra, null, 2) : ""
	find("settings-cancel").onclick = () => dialog.close()
	form.onsubmit = (event) => {
		event.preventDefault()
		try {
			const chosen = read(fields)
			if (fields.defaults.checked) keep("localStorage", defaultsName, JSON.stringify(chosen))
			dialog.close()
			onsave(chosen)
		} catch ({ message }) {
			problem.textContent = `“Other fields” must be a JSON object: ${message}.`
		}
	}
	dialog.showModal()
}

function read(fields) {
	const extra = JSON.parse(fields.extra.value.trim() || "null")
	if (extra && !isObject(extra)) throw new Error("it is a list or a plain value")
	const chosen = Object.fromEntries(numbers.map((name) => [name, fields[name].valueAsNumber]))
	return cleanSettings({ ...chosen, system: fields.system.value, reasoning_effort: fields.reasoning_effort.value, extra })
}
