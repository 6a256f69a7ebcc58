// Reads an answer to those who listen: sentences when they are complete, and not tokens.

import { element, find } from "./dom.js"

const sentenceEnd = /[.!?…:。！？](?=\s)|\n/g
const kept = 20
const region = find("announcer")
let [current, said] = [null, 0]

export function announce({ id, text, state }) {
	if (id !== current) [current, said] = [id, text.length]
	const rest = text.slice(said)
	const last = [...rest.matchAll(sentenceEnd)].at(-1)
	const end = state !== "running" ? rest.length : last ? last.index + 1 : 0
	const words = rest.slice(0, end).replace(/[*_`#>|~]+/g, "").trim()
	said += end
	if (words) region.append(element("p", {}, words))
	if (region.children.length > kept) region.firstChild.remove()
}
