// The file of a call: an upload, a public URL, or base64 or text in the call itself. An action that takes a file spreads
// `fileProperties` into its input and runs its work in `withFile`.

import { open, rm } from 'node:fs/promises'
import { Type } from 'typebox'
import { Failure, invalid, notFound } from '../../base/failure.ts'
import { findIncoming, takeIncoming } from '../../media/incoming.ts'
import type { Context } from '../call/action.ts'

/** The length of 4 MB in base64. */
const maxBase64Length = 5_600_000
const maxTextLength = 4_000_000
const fetchMs = 25_000

const given = (description: string, maxLength: number) => Type.Optional(Type.String({ description, minLength: 1, maxLength }))

/** Returns the properties of an input. @param what the file in descriptions: `The package, a zip` */
export const fileProperties = (what: string) => ({
  upload_id: given(`${what}: id of a file that was uploaded before (SVC_Media.begin-upload).`, 26),
  url: given('Instead: the public URL of the file.', 2000),
  base64: given('Instead: the file in base64, at most 4 MB.', maxBase64Length),
})

/** The property for actions that also take text. */
export const textProperty = { text: given('Instead: the file as text, such as an SVG.', maxTextLength) }

const ways = ['upload_id', 'url', 'base64', 'text', 'path'] as const

/** A way to give a file. `path` is for the command line; an action that takes it opens the file itself. */
export type FileWay = (typeof ways)[number]

export type FileInput = { readonly [K in FileWay]?: string }

/** The file of a call: its bytes, or a file on disk that is removed after the work, unless the work moves it. */
export type FileSource = { readonly bytes: Uint8Array } | { readonly file: string }

/**
 * Returns the one way in which an input gives its file.
 * @throws Failure `invalid` if there is none, or more than one
 */
export function wayOf(input: FileInput, allowed: readonly FileWay[]): FileWay {
  const [way, ...more] = allowed.filter((one) => input[one] !== undefined)
  if (way !== undefined && more.length === 0) return way
  const expected = `one of ${allowed.join(', ')}`
  throw invalid(more[0] ?? 'base64', `Give the file in exactly one way: ${expected}.`, expected)
}

/** The size limit of a fetched file, and its place. */
export interface FileTaking {
  readonly maxBytes: number
  /** Returns a new path for a fetched file. */
  draft(): Promise<string>
}

/**
 * Runs work with the file of a call. This uses up an upload, except in a dry run.
 * @throws Failure `invalid`, `not_found`, `refused`, `too_large`, `unreachable`
 */
export async function withFile<T>(
  context: Context,
  input: FileInput,
  way: Exclude<FileWay, 'path'>,
  taking: FileTaking,
  run: (source: FileSource) => Promise<T>,
): Promise<T> {
  const text = input[way] ?? ''
  if (way === 'text') return run({ bytes: Buffer.from(text.toWellFormed()) })
  if (way === 'base64') return run({ bytes: decode(text) })
  return way === 'url' ? withFetched(context, text, taking, run) : withUpload(context, text, run)
}

function decode(base64: string): Uint8Array {
  const compact = base64.replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return Buffer.from(compact, 'base64')
  throw new Failure('invalid', '"base64" has characters that are not base64.', {
    field: 'base64',
    expected: 'the bytes of the file in base64',
    ...(/^data:/i.test(compact) && {
      hint: 'This is a data address. Its bytes begin after `base64,`: leave out what comes before.',
    }),
  })
}

async function withFetched<T>(
  { site, dryRun, signal }: Context,
  url: string,
  { maxBytes, draft }: FileTaking,
  run: (source: FileSource) => Promise<T>,
): Promise<T> {
  if (dryRun)
    throw new Failure('refused', 'A dry run sends no requests, so it cannot fetch the file.', {
      field: 'url',
      rule: 'a dry run sends no requests',
      hint: 'Give the file in `base64`.',
    })
  const path = await draft()
  let failed: unknown
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      const sink = (part: Uint8Array) =>
        file.write(part).then(
          () => undefined,
          (error: unknown) => {
            failed = error
            throw error
          },
        )
      const { status } = await site.outbound
        .fetch(url, { maxBytes, timeoutMs: fetchMs, signal, sink })
        .catch((error: unknown) => {
          throw failed ?? error
        })
      if (status !== 200) throw new Failure('unreachable', `The URL answered ${status} instead of a file.`, { field: 'url' })
    } finally {
      await file.close()
    }
    return await run({ file: path })
  } finally {
    await rm(path, { force: true })
  }
}

async function withUpload<T>({ site, now, dryRun }: Context, id: string, run: (source: FileSource) => Promise<T>): Promise<T> {
  const home = site.config.POSTERN_HOME
  const file = dryRun ? await findIncoming(home, id, now) : await takeIncoming(home, id, now)
  if (file === undefined) throw notFound('upload', id, 'An upload works for one call within an hour. Upload the file again.')
  try {
    return await run({ file })
  } finally {
    if (!dryRun) await rm(file, { force: true })
  }
}
