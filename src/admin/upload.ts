// A form with a file, as it comes back: read whole within a limit, and taken apart only in memory, so that one that isn't ours, or breaks
// off, has left nothing on the disk (attack 107).

import { Busboy } from '@fastify/busboy'
import { HttpFailure } from '../http/failure.ts'
import { type Fields, holdFields, holdSameSite } from './form.ts'
import type { Visit } from './visit.ts'

export interface Upload {
  readonly fields: Fields
  /** In pieces of what arrived, not copied; undefined where none was chosen. */
  readonly file: readonly Uint8Array[] | undefined
}

/** Largest file, in bytes (ATTACKS "Limits and defaults"). */
export const maxUploadBytes = 64 * 1024 ** 2

/** In which it must arrive. */
const uploadSeconds = 600

/** Taking apart what is in memory takes no time; a form that never ends does. */
const parseMs = 10_000

/** Of what stands around the file. */
const limits = { fields: 10, fieldNameSize: 100, fieldSize: 10 * 1024, files: 1, parts: 11, headerPairs: 20 }

interface Parts {
  readonly fields: ReadonlyMap<string, string>
  readonly file: readonly Uint8Array[] | undefined
}

/**
 * Reads a form with a file.
 * @throws HttpFailure as `readFields`; `malformed` also for one that is cut off, has no boundary, or more parts than a form of ours
 */
export async function readUpload(visit: Visit, purpose: string): Promise<Upload> {
  const { request } = visit
  holdSameSite(request)
  const type = request.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) throw noForm('This is no form of this site.')
  const bytes = await request.readBody(maxUploadBytes + 256 * 1024, uploadSeconds).catch((error: unknown) => {
    if (!(error instanceof HttpFailure) || error.code !== 'too_large') throw error
    throw noForm(`A file may have at most ${maxUploadBytes / 1024 ** 2} MiB.`, error)
  })
  const { fields, file } = await takeApart(bytes, type)
  return { fields: holdFields(visit, purpose, fields), file }
}

const noForm = (message: string, cause?: unknown): HttpFailure => new HttpFailure('malformed', message, {}, { cause })

function takeApart(bytes: Uint8Array, type: string): Promise<Parts> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) => reject(noForm('This form did not arrive whole: send it again.', cause))
    const timer = setTimeout(fail, parseMs)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      settle()
    }
    try {
      parse(
        bytes,
        type,
        (parts) => end(() => resolve(parts)),
        (cause) => end(() => fail(cause)),
      )
    } catch (error) {
      end(() => fail(error)) // no boundary
    }
  })
}

function parse(bytes: Uint8Array, type: string, done: (parts: Parts) => void, fail: (cause?: unknown) => void): void {
  const fields = new Map<string, string>()
  const chunks: Uint8Array[] = []
  let chosen = false
  const parser = new Busboy({ headers: { 'content-type': type }, limits: { ...limits, fileSize: maxUploadBytes } })
  parser.on('field', (name, value, nameCut, valueCut) =>
    nameCut || valueCut || fields.has(name) ? fail() : fields.set(name, value),
  )
  parser.on('file', (_name, stream, fileName) => {
    chosen = fileName !== undefined && fileName !== ''
    stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    stream.once('limit', fail).once('error', fail)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.once(limit, () => fail())
  parser.once('error', fail)
  parser.once('finish', () => done({ fields, file: chosen ? chunks : undefined }))
  parser.end(bytes)
}
