// Sends a picture to the media library, with progress.

import { csrfOf } from '../ask.ts'
import { word } from '../words.ts'

/** The answer of the server. Without a path, the picture was not stored. */
export interface SentPicture {
  readonly path?: string
  readonly alt?: string | null
  readonly message?: string
  readonly signed_out?: boolean
}

/**
 * Sends a file with XMLHttpRequest, because `fetch` does not report the progress of an upload.
 * @param progress receives the part that was sent, from 0 to 1
 */
export function sendPicture(path: string, csrf: string, file: File, progress: (part: number) => void): Promise<SentPicture> {
  const body = new FormData()
  body.append('csrf', csrf)
  body.append('filename', file.name)
  body.append('file', file)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => resolve(read(request)))
    request.addEventListener('error', () => resolve({}))
    request.send(body)
  })
}

/** Writes the description of a file of the library; an empty one says that it is decoration. The text has its own in any case. */
export async function describeFile(entry: HTMLFormElement, id: string, alt: string): Promise<void> {
  const body = new URLSearchParams({ csrf: csrfOf(entry), id, alt: alt.trim() })
  await fetch(entry.dataset['frame'] ?? '', { method: 'POST', body }).catch(() => undefined)
}

function read({ status, responseText }: XMLHttpRequest): SentPicture {
  try {
    const sent = JSON.parse(responseText) as SentPicture
    return sent.signed_out ? { message: word('editor_session_ended') } : sent
  } catch {
    return { message: word('editor_server_answered', { status }) }
  }
}
