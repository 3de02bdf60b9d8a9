// In the browser, on a page with the banner of a refused form: moves the focus to the banner if `autofocus` didn't, and from its
// links to the fields, which it unfolds if needed.

const banner = document.querySelector<HTMLElement>('#refusal')

if (banner) {
  banner.focus()
  banner.scrollIntoView({ block: 'nearest' })
  banner.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
    const field = link && document.getElementById(link.hash.slice(1))
    if (!field) return
    event.preventDefault()
    for (let part = field.closest('details'); part; part = part.parentElement?.closest('details') ?? null) part.open = true
    field.focus()
  })
}
