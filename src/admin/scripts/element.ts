// In the browser: makes elements.

/** Makes an element. An attribute that is undefined is left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value)
  made.append(...content)
  return made
}

/** Makes a button that sends no form. */
export function makeButton(
  attributes: Readonly<Record<string, string | undefined>>,
  content: readonly (Node | string)[],
  run: () => void,
): HTMLButtonElement {
  const made = make('button', { type: 'button', ...attributes }, ...content)
  made.addEventListener('click', run)
  return made
}
