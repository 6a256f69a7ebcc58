// Light, dark, or as the system is. Not a module, so that it runs before anything is drawn and nothing flashes.
{
	const root = document.documentElement
	const themes = ["auto", "light", "dark"]
	root.dataset.theme = localStorage.getItem("leap-theme") ?? "auto"
	addEventListener("DOMContentLoaded", () => {
		const button = document.getElementById("theme")
		const show = () => (button.title = `Appearance: ${root.dataset.theme}`)
		button.onclick = () => {
			root.dataset.theme = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length]
			localStorage.setItem("leap-theme", root.dataset.theme)
			show()
		}
		show()
	})
}
