// In the browser, on every page with navigation: `/` goes to the search, and `Ctrl S` sends the form that has the focus. A page
// with a running job is reloaded until the job has ended.

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing) return
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isWriting(event.target)) toSearch(event)
  if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey) toSave(event)
})

/** On a phone the search field is in the menu, which opens first. */
function toSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('#find')
  if (!field) return
  event.preventDefault()
  if (field.offsetParent === null) document.querySelector<HTMLElement>('#navigation')?.showPopover()
  field.focus()
  field.select()
}

/** Sends only a form that asks for it, or that has the focus. */
function toSave(event: KeyboardEvent): void {
  const form = document.querySelector<HTMLFormElement>('form[data-save]') ?? (event.target as HTMLElement).closest?.('main form')
  if (!(form instanceof HTMLFormElement)) return
  event.preventDefault()
  form.requestSubmit()
}

// On a phone a row of tabs is wider than the screen, so the current tab is scrolled into view.
for (const tab of document.querySelectorAll<HTMLElement>('.tabs [aria-current]')) {
  const row = tab.closest('ul')
  if (row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
}

/** The interval at which a page with a running job is reloaded. */
const lookMs = 2000

if (document.querySelector('[data-running]')) setTimeout(() => location.reload(), lookMs)

/** A new site begins in the time zone of the browser that sets it up. */
const zone = document.querySelector<HTMLSelectElement>('[data-own-zone] [name="time_zone"]')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone && [...zone.options].some(({ value }) => value === own)) zone.value = own
