// The messages of a conversation. The page follows an answer that is written as long as its end is in sight.

import { announce } from "./announcer.js"
import { find } from "./dom.js"
import { makeTurn } from "./turn.js"

/** So near to the end counts as there, in pixels. */
const near = 32
const [scroller, list, jump] = ["scroller", "transcript", "jump"].map(find)
const turns = []
let [shown, writing, follows, frame] = [null, null, true, null]

scroller.addEventListener("scroll", noticeScroll, { passive: true })
jump.onclick = scrollToEnd

/** Shows a conversation, or what is new in it; `running` is the message that is being written. */
export function showTranscript(conversation, running, actions) {
	if (conversation !== shown) follows = true
	shown = conversation
	writing = running
	const path = conversation?.path ?? []
	const changed = path.findIndex((message, index) => message !== turns[index]?.message)
	for (const { node } of turns.splice(changed < 0 ? path.length : changed)) node.remove()
	for (const message of path.slice(turns.length)) {
		turns.push(makeTurn(message, actions))
		list.append(turns.at(-1).node)
	}
	turns.forEach(update)
	keepEnd()
}

/** Shows more of the answer that is written, once per frame. */
export function updateAtFrame() {
	frame ??= requestAnimationFrame(() => {
		frame = null
		turns.filter(({ message }) => message === writing).forEach(update)
		if (writing) announce(writing)
		keepEnd()
	})
}

const update = (turn) => turn.update(shown.after(turn.message.parent), turn.message === writing)

function noticeScroll() {
	follows = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < near
	jump.hidden = follows
}

function keepEnd() {
	if (follows) scroller.scrollTop = scroller.scrollHeight
	else noticeScroll()
}

export function scrollToEnd() {
	follows = true
	keepEnd()
}
