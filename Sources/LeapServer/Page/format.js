// Numbers and times as people read them.

export const count = new Intl.NumberFormat().format
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format
const rate = (perSecond) => `${perSecond < 100 ? tenths(perSecond) : count(Math.round(perSecond))}/s`

export function duration(milliseconds) {
	const seconds = milliseconds / 1000
	return seconds < 60 ? `${tenths(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}

/** Why an answer ended before its end; nothing if it did not. */
export const endingOf = ({ state, error }) => ({
	running: "The page was closed before the answer was complete.",
	stopped: "Stopped.",
	cut: "The answer reached its maximum length.",
	failed: error?.message + (error?.retryAfter ? ` Try again in ${error.retryAfter} s.` : ""),
})[state]

export function age(time) {
	const days = (new Date().setHours(0, 0, 0, 0) - time) / 86_400_000
	return days <= 0 ? "Today" : days <= 1 ? "Yesterday" : days <= 7 ? "Last week" : "Earlier"
}

export function statistics({ promptTokens, cachedTokens, promptRate, answerTokens, answerRate, firstTime } = {}) {
	const details = [cachedTokens && `${count(cachedTokens)} cached`, promptRate && rate(promptRate)].filter(Boolean).join(", ")
	return [
		answerTokens && `${count(answerTokens)} token${answerTokens === 1 ? "" : "s"}`,
		answerRate && rate(answerRate),
		firstTime && `first after ${duration(firstTime)}`,
		promptTokens && `prompt ${count(promptTokens)}${details && ` (${details})`}`,
	].filter(Boolean).join(" · ")
}
