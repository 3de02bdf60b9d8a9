// Uploads pasted or dropped images to the media library, one after the other, with progress. A placeholder line in the text becomes
// the image. A form that is sent during an upload waits for it, so that no text is published without its images.

import type { EditorView } from '@codemirror/view'
import { csrfOf } from '../ask.ts'
import { word } from '../words.ts'
import { askToDescribe, inMarkdown } from './describe-image.ts'
import { sendWhenReady } from './held-press.ts'
import { insertText } from './markdown-keys.ts'

type Say = (words: string) => void

/** @returns a function that takes files from another source, such as a button */
export function takeFiles(view: EditorView, entry: HTMLFormElement, say: Say): (files: readonly File[]) => void {
  let last: Promise<boolean> | undefined
  const take = (files: readonly File[]): void => {
    for (const file of files) {
      const mark = `![${word('editor_uploading', { name: file.name.replace(/[[\]\\]/g, '') })}]()`
      insertText(view, mark)
      const before = last
      const all = (async () => {
        const wereStored = (await before) ?? true
        return (await upload(view, entry, { file, mark, say })) && wereStored
      })()
      last = all
      void all.finally(() => last === all && (last = undefined))
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
  const images = (data: DataTransfer | null): readonly File[] =>
    [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
  view.dom.addEventListener(
    'paste',
    (event) => {
      const files = images(event.clipboardData)
      if (files.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      take(files)
    },
    true,
  )
  view.dom.addEventListener(
    'drop',
    (event) => {
      const files = images(event.dataTransfer)
      if (files.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      if (at !== null) view.dispatch({ selection: { anchor: at } })
      take(files)
    },
    true,
  )
  return take
}

interface One {
  readonly file: File
  readonly mark: string
  readonly say: Say
}

/** @returns true if the file was stored */
async function upload(view: EditorView, entry: HTMLFormElement, { file, mark, say }: One): Promise<boolean> {
  const body = new FormData()
  body.append('csrf', csrfOf(entry))
  body.append('filename', file.name)
  body.append('file', file)
  const { path, alt, message } = await send(entry.dataset['upload'] ?? '', body, (part) =>
    say(word('editor_uploading_part', { name: file.name, percent: Math.round(part * 100) })),
  )
  const place = view.state.doc.toString().indexOf(mark)
  const text = path === undefined ? '' : `![${inMarkdown(alt ?? '')}](${path})`
  if (place >= 0) view.dispatch({ changes: { from: place, to: place + mark.length, insert: text } })
  if (path === undefined) {
    say(word('editor_image_failed', { name: file.name, reason: message ?? word('editor_no_connection') }))
    return false
  }
  say(word('editor_image_stored', { name: file.name }))
  // A file that was in the library before may have a description, or be decoration.
  if (alt === undefined || alt === null) askToDescribe(view, file, path)
  return true
}

interface Sent {
  readonly path?: string
  readonly alt?: string | null
  readonly message?: string
  readonly signed_out?: boolean
}

/** Sends a file with XMLHttpRequest, because `fetch` does not report the progress of an upload. */
function send(path: string, body: FormData, progress: (part: number) => void): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => resolve(read(request)))
    request.addEventListener('error', () => resolve({}))
    request.send(body)
  })
}

function read({ status, responseText }: XMLHttpRequest): Sent {
  try {
    const sent = JSON.parse(responseText) as Sent
    return sent.signed_out ? { message: word('editor_session_ended') } : sent
  } catch {
    return { message: word('editor_server_answered', { status }) }
  }
}
