// Server-sent events out of a response's body; `EventSource` cannot send a request with a body.

/** The data of each event. Comments, by which servers keep a silent connection alive, are left out. */
export async function* eventData(body) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader()
	let [rest, data] = ["", []]
	for (;;) {
		const { value, done } = await reader.read()
		if (done) return
		const lines = (rest + value).split(/\r?\n/)
		rest = lines.pop()
		for (const line of lines) {
			if (line.startsWith("data:")) data.push(line.slice(5).trimStart())
			if (line || !data.length) continue
			yield data.join("\n")
			data = []
		}
	}
}
