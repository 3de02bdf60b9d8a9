// In the browser, on a page with a form that says `data-unsaved`: a line at the button tells of values that are not saved yet, and
// the browser asks before the page is left with them.

const form = document.querySelector<HTMLFormElement>('form[data-unsaved]')
const line = form?.querySelector<HTMLElement>('.unsaved')

if (form && line) {
  const valuesOf = (): string =>
    JSON.stringify([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
  const before = valuesOf()
  let isSent = false
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  const look = (): void => {
    const changed = !isSent && valuesOf() !== before
    line.hidden = !changed
    removeEventListener('beforeunload', ask)
    if (changed) addEventListener('beforeunload', ask)
  }
  // A dialog writes into hidden fields after its own events.
  for (const event of ['input', 'change', 'click', 'close'])
    document.addEventListener(event, () => setTimeout(look), { capture: true })
  form.addEventListener('submit', () => {
    isSent = true
    look()
  })
  // The browser may bring back what was typed before a reload.
  addEventListener('pageshow', () => {
    isSent = false
    look()
  })
}
