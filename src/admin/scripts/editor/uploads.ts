// Uploads images to the media library, one after the other, with progress: dropped ones, and those that `paste.ts` finds on the
// clipboard. A placeholder in the text becomes the image. A form that is sent during an upload waits for it, so that no text is
// published without its images.

import type { ChangeSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { csrfOf } from '../ask.ts'
import { word } from '../words.ts'
import { askToDescribe } from './describe-image.ts'
import { sendWhenReady } from './held-press.ts'
import { insertBlock } from './insert-text.ts'
import { inMarkdown } from './picture-text.ts'
import { sendPicture } from './send-picture.ts'

type Say = (words: string) => void

/** The ways for other sources of files, such as a button or the clipboard. */
export interface Uploads {
  /** Uploads files to the caret, each into a paragraph of its own. */
  take(files: readonly File[]): void
  /** Uploads a file whose placeholder is in the text. */
  put(file: File, replace: Replace): void
  /** Delays the form until something else has put its words into the text. */
  delay(work: Promise<boolean>): void
}

/**
 * The change that puts an uploaded image into the text.
 * @param path of the image; undefined if it was not stored
 * @param alt its description in the library
 */
type Replace = (text: string, path: string | undefined, alt: string) => ChangeSpec | undefined

export function takeFiles(view: EditorView, entry: HTMLFormElement, say: Say): Uploads {
  let last: Promise<boolean> | undefined
  const delay = (work: Promise<boolean>): void => {
    const before = last
    const all = (async () => {
      const [isDone, wereDone = true] = await Promise.all([work, before])
      return isDone && wereDone
    })()
    last = all
    void all.finally(() => last === all && (last = undefined))
  }
  let turn = Promise.resolve(true)
  const put = (file: File, replace: Replace): void => {
    turn = turn.then(() => upload(view, entry, { file, replace, say }))
    delay(turn)
  }
  const take = (files: readonly File[]): void => {
    for (const file of files) {
      const mark = `![${word('editor_uploading', { name: file.name.replace(/[[\]\\]/g, '') })}]()`
      insertBlock(view, mark)
      put(file, (text, path, alt) => {
        const place = text.indexOf(mark)
        const insert = path === undefined ? '' : `![${inMarkdown(alt)}](${path})`
        return place < 0 ? undefined : { from: place, to: place + mark.length, insert }
      })
    }
  }
  // This runs before the listener of the autosave, which is at the form itself. If an image could not be stored, the person sees
  // the reason, and nothing is sent.
  document.addEventListener(
    'submit',
    (event) => {
      if (event.target !== entry || last === undefined) return
      event.stopPropagation()
      void sendWhenReady(entry, event, last)
    },
    true,
  )
  view.dom.addEventListener(
    'drop',
    (event) => {
      const files = imagesIn(event.dataTransfer)
      if (files.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      if (at !== null) view.dispatch({ selection: { anchor: at } })
      take(files)
    },
    true,
  )
  return { take, put, delay }
}

export const imagesIn = (data: DataTransfer | null): readonly File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

interface One {
  readonly file: File
  readonly replace: Replace
  readonly say: Say
}

/** @returns true if the file was stored */
async function upload(view: EditorView, entry: HTMLFormElement, { file, replace, say }: One): Promise<boolean> {
  const { path, alt, message } = await sendPicture(entry.dataset['upload'] ?? '', csrfOf(entry), file, (part) =>
    say(word('editor_uploading_part', { name: file.name, percent: Math.round(part * 100) })),
  )
  const changes = replace(view.state.doc.toString(), path, alt ?? '')
  if (changes) view.dispatch({ changes })
  if (path === undefined) {
    say(word('editor_image_failed', { name: file.name, reason: message ?? word('editor_no_connection') }))
    return false
  }
  say(word('editor_image_stored', { name: file.name }))
  // A file that was in the library before may have a description, or be decoration.
  const isBare = view.state.doc.toString().includes(`![](${path})`)
  if ((alt === undefined || alt === null) && isBare) askToDescribe(view, entry, file, path)
  return true
}
