// An answer while it is written: the stream is read into its message.

import { chat } from "./api.js"

/** Has `request` answered. `onchange()` is called whenever more has come, and at the end; `abort` stops it. */
export async function generate(message, request, abort, onchange) {
	const clock = { began: performance.now(), first: null, chunks: 0 }
	try {
		for await (const chunk of chat(request, abort.signal)) {
			take(chunk, message, clock)
			onchange()
		}
		if (message.state === "running") message.state = "done"
	} catch ({ message: words, retryAfter }) {
		message.state = abort.signal.aborted ? "stopped" : "failed"
		message.error = { message: words, retryAfter }
	}
	delete message.progress
	endThinking(message, clock)
	onchange()
}

function take({ choices: [choice] = [], usage, timings, prompt_progress: progress }, message, clock) {
	if (progress) message.progress = progress.processed / progress.total
	if (choice?.delta) takeDelta(choice.delta, message, clock)
	if (choice?.finish_reason === "length") message.state = "cut"
	const { stats } = message
	if (usage) {
		[stats.promptTokens, stats.answerTokens] = [usage.prompt_tokens, usage.completion_tokens]
		stats.cachedTokens = usage.prompt_tokens_details?.cached_tokens
	}
	if (timings?.prompt_per_second > 0) stats.promptRate = timings.prompt_per_second
	if (timings?.predicted_per_second > 0) stats.answerRate = timings.predicted_per_second
}

function takeDelta({ content, reasoning_content: reasoning, tool_calls: calls }, message, clock) {
	if (!content && !reasoning && !calls) return
	count(message.stats, clock)
	if (reasoning) message.reasoning = (message.reasoning ?? "") + reasoning
	else endThinking(message, clock)
	message.text += content ?? ""
	for (const { index = 0, id, function: call } of calls ?? []) {
		const known = ((message.toolCalls ??= [])[index] ??= { id, name: "", arguments: "" })
		known.name ||= call?.name
		known.arguments += call?.arguments ?? ""
	}
}

/** Most chunks are one token. The server's own count comes at the end. */
function count(stats, clock) {
	const now = performance.now()
	clock.first ??= now
	clock.chunks += 1
	const seconds = (now - clock.first) / 1000
	const answerRate = seconds > 0.5 ? (clock.chunks - 1) / seconds : null
	Object.assign(stats, { answerTokens: clock.chunks, answerRate, firstTime: clock.first - clock.began })
}

function endThinking(message, { first }) {
	if (message.reasoning) message.thinkingTime ??= performance.now() - first
}
