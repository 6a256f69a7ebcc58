// Reads an answer to those who listen: sentences when they are complete, and not tokens.

import { element, find } from "./dom.js"
import { endingOf } from "./format.js"

const sentenceEnd = /[.!?…:。！？](?=\s)|\n/g
const kept = 20
const region = find("announcer")
let [current, said] = [null, 0]

/** Says what is new in an answer, and when it has ended, what it calls or why it is incomplete. */
export function announce(message) {
	const { id, text, state, toolCalls } = message
	if (id !== current) [current, said] = [id, text.length]
	const rest = text.slice(said)
	const last = [...rest.matchAll(sentenceEnd)].at(-1)
	const end = state !== "running" ? rest.length : last ? last.index + 1 : 0
	const words = rest.slice(0, end).replace(/[*_`#>|~]+/g, "").trim()
	said += end
	const ending = state !== "running" && [...(toolCalls ?? []).map(({ name }) => `Calls ${name}.`), endingOf(message)]
	for (const each of [words, ...(ending || [])].filter(Boolean)) region.append(element("p", {}, each))
	while (region.children.length > kept) region.firstChild.remove()
}
