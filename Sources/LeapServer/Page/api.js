// The server: OpenAI's routes, and llama-server's /props, at addresses that are relative to the page.

import { kept, keep } from "./dom.js"
import { askForKey } from "./key-dialog.js"
import { eventData } from "./sse.js"

/** The key lasts as long as the tab; no disk has it. */
const keyName = `leap-key:${location.pathname}`
let apiKey = kept("sessionStorage", keyName)
const lost = "The connection was lost before the answer was complete."

/** `status` is that of HTTP, or 0 where no answer came. */
export class ServerError extends Error {
	constructor(message, status = 0, retryAfter = null) {
		super(message)
		Object.assign(this, { status, retryAfter })
	}
}

export const listModels = async () => (await (await request("v1/models")).json()).data ?? []

/** What the server tells about a model; not every server does. */
export const modelProps = (model) =>
	request(`props?model=${encodeURIComponent(model)}`).then((response) => response.json()).catch(() => ({}))

export async function* chat(body, signal) {
	const headers = { "Content-Type": "application/json" }
	const response = await request("v1/chat/completions", { method: "POST", headers, body: JSON.stringify(body), signal })
	try {
		for await (const data of eventData(response.body)) {
			if (data === "[DONE]") return
			const chunk = JSON.parse(data)
			if (chunk.error) throw new ServerError(chunk.error.message)
			yield chunk
		}
	} catch (error) {
		throw error instanceof TypeError ? new ServerError(lost) : error
	}
	throw new ServerError(lost)
}

async function request(path, options) {
	for (;;) {
		const key = apiKey
		const headers = { ...options?.headers, ...(key && { Authorization: `Bearer ${key}` }) }
		const response = await fetch(new URL(path, document.baseURI), { ...options, headers }).catch((error) => {
			throw error instanceof TypeError ? new ServerError("The server cannot be reached. Is it still running?") : error
		})
		if (response.ok) return response
		const error = await refusal(response)
		if (response.status !== 401) throw error
		if (apiKey !== key) continue
		const answer = await askForKey(key !== null)
		if (!answer) throw error
		apiKey = answer
		keep("sessionStorage", keyName, answer)
	}
}

async function refusal(response) {
	const body = await response.json().catch(() => null)
	const message = body?.error?.message ?? `The server responded with ${response.status} ${response.statusText}.`
	return new ServerError(message, response.status, Number(response.headers.get("Retry-After")) || null)
}
