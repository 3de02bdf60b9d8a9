// Reads a form with files. The form is parsed while it arrives, and the files are written straight into the home, so no whole
// file is ever in memory. A form that is cut off, or has more parts than the site's own forms, leaves nothing behind (attack
// 107).

import { Readable } from 'node:stream'
import type { Busboy, BusboyFileStream } from '@fastify/busboy'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Request } from '../../http/request.ts'
import type { StreamLimits } from '../../http/stream-body.ts'
import { createLate } from '../../base/late.ts'
import { dropIncoming, type Incoming, keepIncoming } from '../../media/incoming.ts'

/** The parser. CommonJS: in the bundle, its members are only on `default`. */
export const busboy = createLate(async () => (await import('@fastify/busboy')).default)

/** The largest file, in bytes. */
export const maxUploadBytes = 64 * 1024 ** 2

/** The limits for the other parts of the form. */
const limits = { fields: 20, fieldNameSize: 100, fieldSize: 10 * 1024, headerPairs: 20 }

/** The limits for streaming a form with files of at most this many bytes. */
export const uploadLimits = (maxBytes: number): StreamLimits => ({
  maxBytes: maxBytes + 256 * 1024,
  // Ten minutes, or as long as a large file takes at 2.5 Mbit/s.
  seconds: Math.max(600, Math.ceil(maxBytes / (300 * 1024))),
  pace: { bytes: 64 * 1024, seconds: 30 },
})

/** The most files of a form from which some are left out. */
const maxLeftOut = 200

/** The longest time that the parser may take for a form that has arrived. */
const parseMs = 10_000

/** A file of a form. The caller moves it elsewhere or deletes it. */
export interface UploadedFile extends Incoming {
  /** The name of the file at the sender. */
  readonly filename: string
  /** The name of the field in which it was chosen. */
  readonly field: string
}

export interface UploadedForm {
  readonly fields: ReadonlyMap<string, string>
  /** The files that the sender chose. */
  readonly files: readonly UploadedFile[]
  /** The names of the files that were left out because they are too large, and true if there were too many. */
  readonly tooLarge: readonly string[]
  readonly tooMany: boolean
}

/** The home for incoming files, the present time in UTC milliseconds, and the limits of the files. */
interface Where {
  readonly home: string
  readonly now: number
  /** The largest file. The default is 64 MiB. */
  readonly maxBytes?: number
  /** The default is 1. */
  readonly maxFiles?: number
  /** The most bytes of all files. The default is what that many files of that size have. */
  readonly maxBytesTogether?: number
  /** True to leave out files that are too large or too many, instead of refusing the whole form. */
  readonly leavesOut?: boolean
}

/**
 * Reads a `multipart/form-data` body.
 * @throws HttpFailure `malformed` for a body that is cut off, has no boundary, or has more parts than the site's own forms, and for
 * a file that is too large; `timeout`, `client_left`
 * @throws Failure `unavailable` if a file can't be written, such as on a full disk
 */
export async function readUploadedForm(request: Request, where: Where): Promise<UploadedForm> {
  const type = request.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) throw noForm('This is not a form of this site.')
  const Parser = await busboy()
  const parts = new FormParts(type, where, Parser)
  try {
    const together = where.maxBytesTogether ?? (where.maxBytes ?? maxUploadBytes) * (where.maxFiles ?? 1)
    await parts.take(Readable.from(request.streamBody(uploadLimits(together)), { objectMode: false }))
    const files = await parts.files()
    return { fields: parts.fields, files, tooLarge: parts.tooLarge, tooMany: parts.tooMany }
  } catch (error) {
    const diskFailure = await parts.drop()
    throw diskFailure ?? inWords(error, where.maxBytes ?? maxUploadBytes)
  }
}

export const noForm = (message: string, cause?: unknown): HttpFailure => new HttpFailure('malformed', message, {}, { cause })

function inWords(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof HttpFailure)) return noForm('This form did not arrive whole: send it again.', error)
  if (error.code !== 'too_large') return error
  return noForm(`A file may have at most ${maxBytes / 1024 ** 2} MiB.`, error)
}

const isUnavailable = (error: unknown): error is Failure => error instanceof Failure && error.code === 'unavailable'

/** Ends the reading of a form with an error. */
type Refuse = (cause?: unknown) => void

/**
 * Runs a parser over a body, until all parts were read.
 * @param listen adds the listeners for the parts, and returns the function to call when the form fails
 */
export function runParser(
  parser: InstanceType<typeof Busboy>,
  body: Readable,
  listen: (refuse: Refuse) => Refuse,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const fail = listen((cause) => {
      body.unpipe(parser)
      body.destroy()
      reject(cause instanceof Error ? cause : new Error('more than a form of ours'))
    })
    for (const limit of ['partsLimit', 'fieldsLimit'] as const) parser.once(limit, () => fail())
    // These streams may fail more than once. The first failure counts.
    parser.on('error', fail)
    parser.once('finish', resolve)
    body.on('error', fail)
    // The parser never ends for some malformed forms.
    body.once('end', () => setTimeout(fail, parseMs).unref())
    body.pipe(parser)
  })
}

/** A form while it is parsed. */
class FormParts {
  readonly fields = new Map<string, string>()
  readonly tooLarge: string[] = []
  tooMany = false
  readonly #where: Where
  readonly #maxBytes: number
  readonly #parser: InstanceType<typeof Busboy>
  readonly #arriving: {
    readonly stream: BusboyFileStream
    readonly kept: Promise<Incoming>
    readonly name: Pick<UploadedFile, 'filename' | 'field'>
  }[] = []
  /** The parser continues with its buffered bytes even after the form was refused. */
  #refused = false

  /** @throws for a content type without a boundary */
  constructor(type: string, where: Where, Parser: typeof Busboy) {
    this.#where = where
    this.#maxBytes = where.maxBytes ?? maxUploadBytes
    try {
      const files = where.maxFiles ?? 1
      const counts = { files, parts: limits.fields + (where.leavesOut ? maxLeftOut : files), fileSize: this.#maxBytes }
      this.#parser = new Parser({ headers: { 'content-type': type }, limits: { ...limits, ...counts } })
    } catch (cause) {
      throw noForm('This form did not arrive whole: send it again.', cause)
    }
  }

  /** Settles when the whole form was read. */
  take(body: Readable): Promise<void> {
    const parser = this.#parser
    return runParser(parser, body, (refuse) => {
      const fail = (cause?: unknown): void => {
        this.#refused = true
        refuse(cause)
      }
      parser.on('field', (name, value, nameCut, valueCut) =>
        nameCut || valueCut || this.fields.has(name) ? fail() : void this.fields.set(name, value),
      )
      parser.on('file', (field, stream, filename) => this.#keep(stream, { field, filename: filename ?? '' }, fail))
      parser.once('filesLimit', () => (this.#where.leavesOut ? (this.tooMany = true) : fail()))
      return fail
    })
  }

  /**
   * The chosen files, once all of them are on disk. A file field in which no file was chosen sends a part without name and
   * content.
   */
  async files(): Promise<readonly UploadedFile[]> {
    const files: UploadedFile[] = []
    for (const { stream, kept, name } of this.#arriving) {
      const file = await kept
      if (stream.truncated) this.tooLarge.push(name.filename)
      if (name.filename !== '' && !stream.truncated) files.push({ ...file, ...name })
      else await dropIncoming(this.#where.home, file.id)
    }
    return files
  }

  /** Deletes the files that have arrived. @returns the failure to write a file, if that ended the form */
  async drop(): Promise<Failure | undefined> {
    for (const { stream } of this.#arriving) stream.destroy()
    let diskFailure: Failure | undefined
    for (const { kept } of this.#arriving) {
      const file = await kept.catch((error: unknown) => void (isUnavailable(error) && (diskFailure ??= error)))
      if (file) await dropIncoming(this.#where.home, file.id)
    }
    return diskFailure
  }

  #keep(stream: BusboyFileStream, name: Pick<UploadedFile, 'filename' | 'field'>, fail: (cause?: unknown) => void): void {
    if (this.#refused) return void stream.resume()
    const { home, now, leavesOut } = this.#where
    // The parser ends a file there and reads on.
    if (!leavesOut) stream.once('limit', () => stream.destroy(new HttpFailure('too_large', 'The file is too large.')))
    stream.on('error', fail)
    const kept = keepIncoming(home, stream, this.#maxBytes, now)
    kept.catch(fail)
    this.#arriving.push({ stream, kept, name })
  }
}
