// Markdown's blocks: lines in, a flat list of { kind, first, lines, … } out, where `first` is a line's number. What is in
// quotes and items is parsed only when it is shown anew, so that a long list costs no more than its lines.

const fence = /^( {0,3})(`{3,}|~{3,})([^`]*)$/
const heading = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const quote = /^ {0,3}> ?/
const marker = /^( *)([-*+]|\d{1,9}[.)])( +|$)/
const delimiters = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const task = /^\[([ xX])\] +/
/** A last line that may become anything waits for more before it is shown. */
const undecided = /^\s*(?:[-*+_]+|\d{1,9}[.)]?|#{1,6}|>|(`|~){1,2}|(`|~){3}[^`]*|\$|\|[\s:|-]*|[-*+] +\[[ xX]?\]?)\s*$/
const longestUndecided = 80

export function parseBlocks(lines, grows) {
	const last = lines.at(-1)
	const held = grows && last.length < longestUndecided && undecided.test(last)
	const shown = held ? lines.slice(0, -1) : lines
	const blocks = []
	for (let at = 0; at < shown.length; ) {
		if (!shown[at].trim()) {
			at += 1
			continue
		}
		const block = blockAt(shown, at, grows)
		blocks.push({ ...block, first: at })
		at += block.lines.length
	}
	return blocks
}

function blockAt(lines, at, grows) {
	for (const parse of [codeAt, headingAt, ruleAt, quoteAt, listAt, tableAt]) {
		const block = parse(lines, at, grows)
		if (block) return block
	}
	return paragraphAt(lines, at)
}

function codeAt(lines, at) {
	const match = fence.exec(lines[at])
	if (!match) return null
	const [, { length: indent }, ticks, language] = match
	const close = new RegExp(`^ {0,3}${ticks[0]}{${ticks.length},}\\s*$`)
	const margin = new RegExp(`^ {0,${indent}}`)
	let end = at + 1
	while (end < lines.length && !close.test(lines[end])) end += 1
	const text = lines.slice(at + 1, end).map((line) => line.replace(margin, "")).join("\n")
	return { kind: "code", language: language.trim().split(/\s/)[0], text, lines: lines.slice(at, end + 1) }
}

function headingAt(lines, at) {
	const match = heading.exec(lines[at])
	const text = match?.[2]?.trim().replace(/(?:^|[ \t])#+$/, "") ?? ""
	return match && { kind: "heading", level: match[1].length, text, lines: [lines[at]] }
}

const ruleAt = (lines, at) => rule.test(lines[at]) && { kind: "rule", lines: [lines[at]] }

function quoteAt(lines, at) {
	if (!quote.test(lines[at])) return null
	let end = at + 1
	while (end < lines.length && (quote.test(lines[end]) || isPlain(lines[end]))) end += 1
	const own = lines.slice(at, end)
	return { kind: "quote", inner: own.map((line) => line.replace(quote, "")), lines: own }
}

/** Two columns belong to the item, as models write it; CommonMark wants the marker's width. */
function listAt(lines, at) {
	const [, { length: indent }, sign] = marker.exec(lines[at]) ?? [, {}]
	if (!sign) return null
	const items = []
	let end = at
	for (; end < lines.length; end += 1) {
		const line = lines[end]
		const column = line.search(/\S/)
		const inside = column < 0 || column >= indent + 2
		const isItem = !inside && marker.exec(line)?.[2].at(-1) === sign.at(-1) && !rule.test(line)
		if (isItem) items.push([line])
		else if (inside || (lines[end - 1].trim() && isPlain(line))) items.at(-1).push(line)
		else break
	}
	const start = /\d/.test(sign) ? parseInt(sign, 10) : null
	return { kind: "list", start, items: items.map(item), lines: lines.slice(at, end) }
}

function item(lines) {
	const [all, indent, sign, gap] = marker.exec(lines[0])
	const width = gap.length > 4 || !gap ? indent.length + sign.length + 1 : all.length
	const inner = lines.map((line, index) => line.slice(index ? Math.min(width, line.search(/\S|$/)) : width))
	const box = task.exec(inner[0])
	if (box) inner[0] = inner[0].slice(box[0].length)
	return { done: box && box[1] !== " ", inner, source: lines.join("\n") }
}

/** While it grows, a last line that begins with a bar counts as the head of a table. */
function tableAt(lines, at, grows) {
	if (!lines[at].includes("|")) return null
	const awaited = grows && at === lines.length - 1 && lines[at].trimStart().startsWith("|")
	const head = cells(lines[at])
	const below = awaited ? [] : cells(lines[at + 1] ?? "")
	if (!awaited && !(delimiters.test(lines[at + 1] ?? "") && below.length === head.length)) return null
	let end = at + 1
	while (end < lines.length && lines[end].trim() && (lines[end].includes("|") || isPlain(lines[end]))) end += 1
	const alignments = below.map((cell) => (!cell.endsWith(":") ? "left" : cell[0] === ":" ? "centre" : "right"))
	return { kind: "table", head, alignments, rows: lines.slice(at + 2, end).map(cells), lines: lines.slice(at, end) }
}

function cells(line) {
	const inner = line.trim().replace(/^\||(?<!\\)\|$/g, "")
	const found = inner.match(/(?:\\.|`[^`]*`|[^|])+|(?<=\||^)(?=\||$)/g) ?? [""]
	return found.map((cell) => cell.trim().replaceAll("\\|", "|"))
}

function paragraphAt(lines, at) {
	let end = at + 1
	while (end < lines.length && isPlain(lines[end]) && !tableAt(lines, end)) end += 1
	const own = lines.slice(at, end)
	return { kind: "paragraph", text: own.map((line) => line.trim()).join("\n"), lines: own }
}

/** Whether a line goes on with a paragraph. Only a list from 1 begins within one. */
function isPlain(line) {
	const [, , sign, gap] = marker.exec(line) ?? []
	return line.trim() !== "" && ![fence, heading, rule, quote].some((each) => each.test(line)) &&
		!(gap && (!/\d/.test(sign) || parseInt(sign, 10) === 1))
}
