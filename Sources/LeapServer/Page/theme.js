// Light, dark, or as the system is. Not a module, so that it runs before anything is drawn and nothing flashes.
{
	const root = document.documentElement
	const themes = ["auto", "light", "dark"]
	let storage = null
	try {
		storage = localStorage
	} catch {
		// The browser keeps nothing; the choice lasts as long as the page.
	}
	root.dataset.theme = storage?.getItem("leap-theme") ?? "auto"
	addEventListener("DOMContentLoaded", () => {
		const button = document.getElementById("theme")
		const show = () => (button.title = `Appearance: ${root.dataset.theme}`)
		button.onclick = () => {
			root.dataset.theme = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length]
			storage?.setItem("leap-theme", root.dataset.theme)
			show()
		}
		show()
	})
}
