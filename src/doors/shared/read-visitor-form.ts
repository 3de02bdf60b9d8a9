// Reads a form with files that a visitor sent. Unlike a form of a person who is known, it is never refused for its files: those
// that are too many or too large are read and left out, so that the texts around them arrive and can stand in the form again.
// Memory and disk are bounded whatever comes (attack 107).

import { Readable } from 'node:stream'
import type { Busboy, BusboyFileStream } from '@fastify/busboy'
import { HttpFailure } from '../../http/failure.ts'
import type { Request } from '../../http/request.ts'
import { dropIncoming, type Incoming, keepIncoming } from '../../media/incoming.ts'
import { busboy, maxUploadBytes, noForm, runParser, uploadLimits } from './read-upload.ts'

/** A file of a visitor. The caller moves it elsewhere or deletes it. */
export interface VisitorFile extends Incoming {
  /** The name of the field. */
  readonly field: string
  readonly filename: string
}

export interface VisitorForm {
  readonly fields: URLSearchParams
  readonly files: readonly VisitorFile[]
  /** The field whose files were left out, and why. */
  readonly leftOut: { readonly field: string; readonly why: FilesRefusal } | undefined
}

/** The reasons to leave files out: too many of them, too many bytes, no place for them, or nobody asked for them. */
export type FilesRefusal = 'many' | 'large' | 'full' | 'unasked'

export interface VisitorLimits {
  readonly home: string
  readonly now: number
  /** The most bytes of all texts, of all files, and the most files. */
  readonly textBytes: number
  readonly fileBytes: number
  readonly files: number
  /** Asked before the first file: the reason why files are not taken, if there is one. @param fields what came before it */
  readonly refusal: (fields: URLSearchParams) => FilesRefusal | undefined
}

/** More parts than any form of a site has. */
const counts = { fields: 100, parts: 200, fieldNameSize: 100, headerPairs: 20 }

export const isVisitorForm = (request: Request): boolean =>
  /^multipart\/form-data\s*;/i.test(request.header('content-type') ?? '')

/**
 * Reads a `multipart/form-data` body of up to 64 MiB.
 * @throws HttpFailure `malformed` for a body that is cut off or has no boundary; `too_large` for too much text; `timeout`,
 * `client_left`
 */
export async function readVisitorForm(request: Request, limits: VisitorLimits): Promise<VisitorForm> {
  const Parser = await busboy()
  const parts = new VisitorParts(request.header('content-type') ?? '', limits, Parser)
  try {
    await parts.take(Readable.from(request.streamBody(uploadLimits(maxUploadBytes)), { objectMode: false }))
    return { fields: parts.fields, files: await parts.files(), leftOut: parts.leftOut }
  } catch (error) {
    await parts.drop()
    throw error instanceof HttpFailure ? error : noForm('This form did not arrive whole: send it again.', error)
  }
}

class VisitorParts {
  readonly fields = new URLSearchParams()
  leftOut: VisitorForm['leftOut']
  readonly #limits: VisitorLimits
  readonly #parser: InstanceType<typeof Busboy>
  readonly #arriving: { readonly field: string; readonly filename: string; readonly kept: Promise<Incoming | undefined> }[] = []
  readonly #streams: BusboyFileStream[] = []
  #textBytes = 0
  #fileBytes = 0
  #refused = false

  /** @throws HttpFailure for a content type without a boundary */
  constructor(type: string, limits: VisitorLimits, Parser: typeof Busboy) {
    this.#limits = limits
    try {
      this.#parser = new Parser({ headers: { 'content-type': type }, limits: { ...counts, fieldSize: limits.textBytes } })
    } catch (cause) {
      throw noForm('This form did not arrive whole: send it again.', cause)
    }
  }

  /** Settles when the whole form was read. */
  take(body: Readable): Promise<void> {
    return runParser(this.#parser, body, (refuse) => {
      const fail = (cause?: unknown): void => {
        this.#refused = true
        refuse(cause)
      }
      this.#parser.on('field', (name, value, nameCut, valueCut) => {
        this.#textBytes += Buffer.byteLength(value)
        if (nameCut) fail()
        else if (valueCut || this.#textBytes > this.#limits.textBytes)
          fail(new HttpFailure('too_large', 'The texts of this form are too long.'))
        else this.fields.append(name, value)
      })
      this.#parser.on('file', (field, stream, filename) => {
        stream.on('error', fail)
        this.#takeFile(field, filename ?? '', stream)
      })
      return fail
    })
  }

  /** The files, once all of them are on disk. None if some were left out, because the form comes back then. */
  async files(): Promise<readonly VisitorFile[]> {
    const files: VisitorFile[] = []
    for (const { field, filename, kept } of this.#arriving) {
      const file = await kept
      if (file) files.push({ ...file, field, filename })
    }
    if (!this.leftOut) return files
    for (const { id } of files) await dropIncoming(this.#limits.home, id)
    return []
  }

  async drop(): Promise<void> {
    for (const stream of this.#streams) stream.destroy()
    for (const { kept } of this.#arriving) {
      const file = await kept
      if (file) await dropIncoming(this.#limits.home, file.id)
    }
  }

  #takeFile(field: string, filename: string, stream: BusboyFileStream): void {
    // A file field in which no file was chosen sends a part without a name.
    if (this.#refused || filename === '') return void stream.resume()
    const isFirst = this.#arriving.length === 0
    const why = this.#arriving.length >= this.#limits.files ? 'many' : isFirst ? this.#limits.refusal(this.fields) : undefined
    if (why) this.leftOut ??= { field, why }
    if (this.leftOut) return void stream.resume()
    this.#streams.push(stream)
    const { home, now, fileBytes } = this.#limits
    // The disk refused it. An error of the stream ends the form by its own listener.
    const kept = keepIncoming(home, this.#within(field, stream), fileBytes, now).catch(() => {
      this.leftOut ??= { field, why: 'full' }
      stream.resume()
      return undefined
    })
    this.#arriving.push({ field, filename, kept })
  }

  /** The bytes of a file as long as all files are within the limit. The rest is read and dropped. */
  async *#within(field: string, stream: BusboyFileStream): AsyncIterable<Uint8Array> {
    // A failure to write must not end the form, whose texts may be behind this file.
    for await (const part of stream.iterator({ destroyOnReturn: false })) {
      const bytes = part as Uint8Array
      this.#fileBytes += bytes.byteLength
      if (this.#fileBytes > this.#limits.fileBytes) this.leftOut ??= { field, why: 'large' }
      if (!this.leftOut) yield bytes
    }
  }
}
