// The request that has a conversation answered.

const sampling = ["temperature", "top_p", "max_tokens", "seed", "reasoning_effort"]

/** An answer at the end of `path` is continued. */
export function chatRequest(path, model, settings) {
	const system = settings.system?.trim() ? [{ role: "system", content: settings.system }] : []
	return {
		model,
		messages: [...system, ...path.flatMap((message, index) => wireMessages(message, path[index + 1]))],
		stream: true,
		stream_options: { include_usage: true },
		return_progress: true,
		...Object.fromEntries(sampling.filter((name) => settings[name] != null).map((name) => [name, settings[name]])),
		...settings.extra,
	}
}

/** Calls are told where somebody has answered them. Models would take an empty answer for an example. */
function wireMessages({ role, text, attachments = [], toolCalls, results }, next) {
	if (role === "user") return [{ role, content: userContent(text, attachments) }]
	if (role === "tool") return results.map(({ id, text }) => ({ role, tool_call_id: id, content: text }))
	if (toolCalls && next?.role === "tool") return [{ role, content: text || null, tool_calls: toolCalls.map(wireCall) }]
	return text ? [{ role, content: text }] : []
}

const wireCall = ({ id, name, arguments: json }) => ({ id, type: "function", function: { name, arguments: json } })

function userContent(text, attachments) {
	const files = attachments.filter((each) => each.text != null).map(fenced)
	const words = [...files, text].filter(Boolean).join("\n\n")
	const images = attachments.filter((each) => each.image)
	if (!images.length) return words
	const parts = images.map(({ image }) => ({ type: "image_url", image_url: { url: image } }))
	return words ? [...parts, { type: "text", text: words }] : parts
}

/** The fence is longer than any within. */
function fenced({ name, text }) {
	const fence = (text.match(/`{3,}/g) ?? []).reduce((longest, run) => (run.length < longest.length ? longest : `${run}\``), "```")
	return `File: ${name}\n${fence}\n${text.trimEnd()}\n${fence}`
}
