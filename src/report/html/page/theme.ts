const themes = ['auto', 'light', 'dark'] as const

/** A button that goes from the system's colours to light, to dark, and back. */
export function themeButton(): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  let current = 0
  const show = () => {
    const theme = themes[current] ?? 'auto'
    document.documentElement.dataset.theme = theme
    button.textContent = `Colours: ${theme}`
  }
  button.addEventListener('click', () => {
    current = (current + 1) % themes.length
    show()
  })
  show()
  return button
}
