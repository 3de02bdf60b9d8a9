// Pastes HTML as Markdown. The server converts it, and the editor waits without stopping whoever types. Pictures whose bytes are
// on the clipboard are uploaded. If anything fails, the plain text is pasted, and a sentence says why. In code and in front
// matter, the text is pasted as it is.

import { isolateHistory } from '@codemirror/commands'
import type { ChangeSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { csrfOf } from '../ask.ts'
import { make } from '../element.ts'
import { word } from '../words.ts'
import { cutPictures, type HtmlWithPictures } from './clipboard-pictures.ts'
import { inMarkdown } from './picture-text.ts'
import { fitted } from './fit-paste.ts'
import { closePlace, openPlace, pastePlaces } from './paste-places.ts'
import { isInTable, isVerbatim } from './place.ts'
import { sendBody } from './send-form.ts'
import { imagesIn, type Uploads } from './uploads.ts'

/** The most HTML that the server converts. */
const maxBytes = 1024 * 1024

interface Answer {
  readonly markdown?: string
  readonly elsewhere?: readonly string[]
  readonly missing?: number
  readonly message?: string
}

/** The text to paste, and words about it. */
interface Converted {
  readonly text: string
  readonly isMarkdown: boolean
  readonly said: string
}

export function takePastes(view: EditorView, entry: HTMLFormElement, uploads: Uploads): void {
  const said = make('p', { class: 'help', role: 'status', id: 'pasted' })
  view.dom.after(said)
  let last = 0
  view.dom.addEventListener(
    'paste',
    (event) => {
      const { clipboardData: data } = event
      const place = view.state.selection.main
      if (!data || isVerbatim(view.state, place.from)) return
      const html = data.getData('text/html')
      const plain = data.getData('text/plain')
      const files = imagesIn(data)
      said.textContent = ''
      if (files.length > 0 && !hasWords(html)) {
        stop(event)
        return uploads.take(files)
      }
      if (html.trim() === '' || view.state.selection.ranges.length > 1 || isInTable(view.state, place.from)) return
      stop(event)
      const id = ++last
      const cut = cutPictures(html, files)
      view.dispatch({ effects: openPlace.of({ id, from: place.from, to: place.to }) })
      uploads.delay(
        (async () => {
          const converted = await convert(view, entry, cut, plain)
          put(view, id, converted)
          said.textContent = converted.said
          if (converted.isMarkdown) for (const picture of cut.pictures) upload(uploads, picture)
          return true
        })(),
      )
    },
    true,
  )
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/** True for HTML with words. A copied picture has none; a copied table comes with a picture of itself, which nobody wants. */
const hasWords = (html: string): boolean =>
  html !== '' && new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() !== ''

async function convert(view: EditorView, entry: HTMLFormElement, { html }: HtmlWithPictures, plain: string): Promise<Converted> {
  const asPlain = (reason: string): Converted => ({
    text: plain,
    isMarkdown: false,
    said: word('editor_paste_plain', { reason }),
  })
  if (new Blob([html]).size > maxBytes) return asPlain(word('editor_paste_large'))
  const labels = [...view.state.doc.toString().matchAll(/\[\^([^\s[\]^]{1,60})\]/g)].map(([, label]) => label)
  const body = new URLSearchParams({ csrf: csrfOf(entry), html, notes: [...new Set(labels)].join(' ') })
  const { status, answer } = await sendBody<Answer>(entry, entry.dataset['paste'] ?? '', body)
  if (status === 0) return asPlain(word('editor_paste_offline'))
  const { markdown, elsewhere = [], missing = 0, message } = answer ?? {}
  if (markdown === undefined) return asPlain(message ?? word('editor_server_answered', { status }))
  if (markdown === '' && plain.trim() !== '') return { text: plain, isMarkdown: false, said: '' }
  const sentences = [
    counted('editor_picture_elsewhere', 'editor_pictures_elsewhere', elsewhere.length),
    counted('editor_picture_missing', 'editor_pictures_missing', missing),
  ]
  return { text: markdown, isMarkdown: true, said: sentences.join(' ').trim() }
}

const counted = (one: string, many: string, count: number): string =>
  count === 0 ? '' : count === 1 ? word(one) : word(many, { count })

/** Puts the text at the place of the paste, as one step that can be undone. */
function put(view: EditorView, id: number, { text, isMarkdown }: Converted): void {
  const { state } = view
  const place = state.field(pastePlaces).find((one) => one.id === id)
  if (!place) return
  const change = isMarkdown
    ? fitted(state, place, text)
    : { from: place.from, to: place.to, insert: text.replace(/\r\n?/g, '\n') }
  const changes = state.changes(change)
  view.dispatch({
    changes,
    selection: state.selection.map(changes, 1),
    effects: closePlace.of(id),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.paste',
    scrollIntoView: true,
  })
}

/** Uploads a picture, whose number stands in the text until its path does. */
function upload(uploads: Uploads, { file, mark }: HtmlWithPictures['pictures'][number]): void {
  uploads.put(file, (text, path, alt): ChangeSpec | undefined => {
    const at = text.indexOf(`(${mark}`) + 1
    const place = text.lastIndexOf('![', at)
    if (at === 0 || place < 0) return undefined
    if (path === undefined) return { from: place, to: text.indexOf(')', at) + 1 }
    const hasAlt = !text.startsWith('![](', place)
    const described = hasAlt || alt === '' ? [] : [{ from: place + 2, insert: inMarkdown(alt) }]
    return [...described, { from: at, to: at + mark.length, insert: path }]
  })
}
