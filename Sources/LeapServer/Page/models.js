// The models that the server offers, and what it tells about the chosen one.

import { listModels, modelProps } from "./api.js"
import { button, element, find } from "./dom.js"

const patience = 3000
const [select, banner] = ["model", "connection"].map(find)
let [models, props, wanted, timer, asking] = [[], {}, "", 0]

export const chosenModel = () => select.value
export const modelSees = async () => (await asking, props.modalities?.vision === true)
export const usualSettings = () => props.default_generation_settings?.params ?? {}

export function contextLength() {
	const model = models.find(({ id }) => id === select.value)
	return props.default_generation_settings?.n_ctx || model?.context_length
}

/** Asks until the server answers: it may be loading still. `onchange()` is called when another model is chosen. */
export async function connect(onchange) {
	const again = () => connect(onchange)
	clearTimeout(timer)
	select.onchange = () => chooseModel(select.value).then(onchange)
	try {
		models = await listModels()
		banner.hidden = true
		select.replaceChildren(...models.map(({ id }) => element("option", { value: id }, id)))
		select.disabled = models.length < 2
		await chooseModel(wanted)
		onchange()
	} catch ({ message, status }) {
		banner.hidden = false
		if (banner.firstChild?.data !== message) banner.replaceChildren(message, button("Try again", again))
		if (status === 0 || status === 503) timer = setTimeout(again, patience)
	}
}

/** Chooses a model if it is there; if not, what is chosen stays. */
export const chooseModel = (id) => asking = choose(id)

async function choose(id) {
	wanted = id
	if (models.some((model) => model.id === id)) select.value = id
	const { value } = select
	const found = value ? await modelProps(value) : {}
	if (value === select.value) props = found
}
