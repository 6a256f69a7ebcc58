// Files that go with a message: text as text, and images, where the model sees, as data: addresses.

import { element, icon, iconButton } from "./dom.js"

const longestText = 1_000_000
/** Models see less of an image than this: at most ten tiles of 512 pixels a side, all in one row or several. */
const longest = 5120, area = 2048 ** 2

/** Throws, with words for people, what cannot be attached. */
export async function readAttachment(file, seesImages) {
	const { name, type } = file
	if (!type.startsWith("image/") || type.includes("svg")) return { name, text: await readText(file) }
	if (!await seesImages()) throw new Error(`${name} is an image, but this model does not support images.`)
	return { name, image: await imageAddress(file) }
}

async function readText(file) {
	if (file.size > longestText) throw new Error(`${file.name} is too large: text files may have up to 1 MB.`)
	const text = await file.arrayBuffer().then((data) => new TextDecoder("utf-8", { fatal: true }).decode(data)).catch(() => "\0")
	if (text.includes("\0")) throw new Error(`${file.name} is not a UTF-8 text file.`)
	return text
}

/** Drawn anew, an image is small, in a format that servers read, and does not tell where it was taken. */
async function imageAddress(file) {
	const bitmap = await createImageBitmap(file).catch(() => {
		throw new Error(`${file.name} is not an image that this browser can read.`)
	})
	const { width, height } = bitmap
	const scale = Math.min(1, longest / Math.max(width, height), Math.sqrt(area / (width * height)))
	const canvas = element("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) })
	canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
	return canvas.toDataURL(file.type === "image/jpeg" ? "image/jpeg" : "image/png", 0.92)
}

export function attachmentList(attachments, onremove) {
	return attachments?.length > 0 && element("ul", { class: "attachments" }, ...attachments.map(({ name, image }, index) => element(
		"li", {},
		image ? element("img", { src: image, alt: name }) : icon("attach"),
		!image && name,
		onremove && iconButton(`Remove ${name}`, "close", () => onremove(index)),
	)))
}
