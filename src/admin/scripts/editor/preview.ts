// The preview of the page next to the text, in a frame without script. It follows the text and its scrolling while it is open, and
// has the widths of a phone, a tablet and a desktop.

import type { EditorView } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { bodyOf, sendBody } from './send-form.ts'

const restMs = 1200
const scrollRestMs = 150

/** The classes of the frame by the names of their buttons. Without one, it is as wide as its place. */
const widths = [
  ['editor_preview_phone', 'phone'],
  ['editor_preview_tablet', 'tablet'],
  ['editor_preview_desktop', 'desktop'],
] as const

interface Answer {
  readonly url?: string
  /** The ids of headings, with their places in the text. */
  readonly headings?: readonly { readonly id: string; readonly start: number }[]
}

/**
 * Adds the preview below the text, open.
 * @param toggle the button that opens and closes it
 * @param view of the text; undefined for an entry without one
 */
export function openPreview(entry: HTMLFormElement, toggle: HTMLButtonElement, view: EditorView | undefined): void {
  const frame = make('iframe', { title: word('editor_preview'), class: 'preview', sandbox: '' })
  const buttons = widths.map(([name, width]): HTMLButtonElement => {
    const button = makeButton({ class: 'small', 'aria-pressed': 'false' }, [word(name)], () => {
      const isChosen = button.getAttribute('aria-pressed') !== 'true'
      frame.className = isChosen ? `preview ${width}` : 'preview'
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button && isChosen))
    })
    return button
  })
  const box = make('div', { class: 'preview-box' }, make('p', { class: 'actions' }, ...buttons), frame)
  entry.querySelector('.entry-text')?.after(box)
  let headings: NonNullable<Answer['headings']> = []
  let address = ''
  const refresh = async (): Promise<void> => {
    // Without a connection the frame shows the last state.
    const { answer } = await sendBody<Answer>(entry, entry.dataset['preview'] ?? '', bodyOf(entry))
    if (answer?.url === undefined || box.hidden) return
    headings = answer.headings ?? []
    address = answer.url
    show()
  }
  /** Shows the part of the page with the heading above the first visible line. */
  const show = (): void => {
    if (address === '') return
    const top = view ? view.lineBlockAtHeight(view.scrollDOM.scrollTop).from : 0
    const heading = headings.filter(({ start }) => start <= top).pop()
    const next = heading && top > 0 ? `${address}#${heading.id}` : address
    if (frame.getAttribute('src') !== next) frame.src = next
  }
  const set = (isOpen: boolean): void => {
    box.hidden = !isOpen
    toggle.textContent = word(isOpen ? 'editor_hide_page' : 'editor_show_page')
    toggle.setAttribute('aria-expanded', String(isOpen))
    entry.classList.toggle('previewing', isOpen)
    if (isOpen) void refresh()
  }
  toggle.addEventListener('click', () => set(box.hasAttribute('hidden')))
  let timer: ReturnType<typeof setTimeout> | undefined
  entry.addEventListener('input', () => {
    clearTimeout(timer)
    if (!box.hidden) timer = setTimeout(() => void refresh(), restMs)
  })
  let scrolled: ReturnType<typeof setTimeout> | undefined
  view?.scrollDOM.addEventListener('scroll', () => {
    clearTimeout(scrolled)
    if (!box.hidden) scrolled = setTimeout(show, scrollRestMs)
  })
  set(true)
}
