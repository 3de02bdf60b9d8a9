// In the browser, on the page of a menu: people drag items to their place, and arrow keys move the item that has the focus. Both
// send the same forms as the page without script.

const tree = document.querySelector<HTMLElement>('#menu-tree')
const form = document.querySelector<HTMLFormElement>('#place')

/** The distance in pixels from the start of an item after which a dropped item becomes its child. */
const indent = 56

if (tree && form) {
  let dragged: HTMLElement | undefined
  const marks = ['before', 'after', 'under'] as const
  const clear = (): void => {
    for (const item of tree.querySelectorAll<HTMLElement>('[data-drop]')) delete item.dataset['drop']
  }
  const itemAt = (target: EventTarget | null): HTMLElement | undefined =>
    (target instanceof Element && target.closest<HTMLElement>('[data-item]')) || undefined
  const rowOf = (item: HTMLElement): HTMLElement => item.querySelector<HTMLElement>('.row') ?? item

  for (const row of tree.querySelectorAll<HTMLElement>('.row')) row.draggable = true
  tree.addEventListener('dragstart', (event) => {
    dragged = itemAt(event.target)
    event.dataTransfer?.setData('text/plain', dragged?.dataset['item'] ?? '')
  })
  tree.addEventListener('dragover', (event) => {
    const item = itemAt(event.target)
    if (!dragged || !item || dragged.contains(item)) return
    event.preventDefault()
    clear()
    const box = rowOf(item).getBoundingClientRect()
    const isUpper = event.clientY < box.top + box.height / 2
    rowOf(item).dataset['drop'] = isUpper ? 'before' : event.clientX > box.left + indent ? 'under' : 'after'
  })
  tree.addEventListener('dragend', clear)
  tree.addEventListener('drop', (event) => {
    const item = itemAt(event.target)
    const where = marks.find((mark) => item && rowOf(item).dataset['drop'] === mark)
    if (!dragged || !item || !where) return
    event.preventDefault()
    const values = { item: dragged.dataset['item'], where, target: item.dataset['item'] }
    for (const [name, value] of Object.entries(values)) {
      const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`)
      if (field) field.value = value ?? ''
    }
    form.requestSubmit()
  })

  const keys: Readonly<Record<string, string>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }
  tree.addEventListener('keydown', (event) => {
    const move = keys[event.key]
    const { target } = event
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) return
    // After a move the address names the item, and the browser focuses it.
    if (!target.matches('[data-item]') && !target.closest('form.moves')) return
    event.preventDefault()
    itemAt(target)?.querySelector<HTMLButtonElement>(`form.moves button[value="${move}"]`)?.click()
  })
}
