// The preview of the page next to the text, in a frame without script. It follows the text while it is open.

import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { bodyOf, sendBody } from './send-form.ts'

const restMs = 1200

export function addPreview(entry: HTMLFormElement): void {
  const bar = entry.querySelector('.preview-bar .actions')
  if (!bar) return
  const frame = make('iframe', { title: word('editor_preview'), class: 'preview', sandbox: '', hidden: '' })
  entry.querySelector('.entry-text')?.after(frame)
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = async (): Promise<void> => {
    // Without a connection the frame shows the last state.
    const { answer } = await sendBody<{ readonly url?: string }>(entry, entry.dataset['preview'] ?? '', bodyOf(entry))
    if (answer?.url !== undefined && !frame.hidden) frame.src = answer.url
  }
  const toggle = makeButton({ 'aria-expanded': 'false' }, [word('editor_show_page')], () => {
    frame.hidden = !frame.hidden
    toggle.textContent = word(frame.hidden ? 'editor_show_page' : 'editor_hide_page')
    toggle.setAttribute('aria-expanded', String(!frame.hidden))
    entry.classList.toggle('previewing', !frame.hidden)
    if (!frame.hidden) void refresh()
  })
  bar.append(toggle)
  entry.addEventListener('input', () => {
    clearTimeout(timer)
    if (!frame.hidden) timer = setTimeout(() => void refresh(), restMs)
  })
}
