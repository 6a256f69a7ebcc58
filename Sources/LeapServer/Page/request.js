// The request that has a conversation answered.

const sampling = ["temperature", "top_p", "max_tokens", "seed", "reasoning_effort"]

/** An answer at the end of `path` is continued. */
export function chatRequest(path, model, settings) {
	const system = settings.system?.trim() ? [{ role: "system", content: settings.system }] : []
	return {
		model,
		messages: [...system, ...path.filter(isTold).map(wireMessage)],
		stream: true,
		stream_options: { include_usage: true },
		return_progress: true,
		...Object.fromEntries(sampling.filter((name) => settings[name] != null).map((name) => [name, settings[name]])),
		...settings.extra,
	}
}

/** Models would take an empty answer for an example. */
const isTold = ({ role, text }) => role === "user" || text

const wireMessage = ({ role, text, attachments = [] }) => ({ role, content: role === "user" ? userContent(text, attachments) : text })

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
