// A call as a form, with a file next to `class` and `action`: `curl -F class=SVC_Media -F action=upload -F file=@photo.jpg`. The
// file is streamed to disk, and the call gets its id as `upload_id`.

import { maxFileBytes } from '../../actions/media/arrival.ts'
import type { Admitted } from '../shared/admit.ts'
import { readUploadedForm } from '../shared/read-upload.ts'
import type { JsonBody } from '../shared/read-json.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import { includesTier } from '../../identity/caller.ts'
import { isObject } from '../../base/json.ts'

/** The parts of a form, and the id of its file. */
export interface ReadForm {
  readonly body: JsonBody
  readonly uploadId?: string
}

/** True if a request has a form with a file. */
export const isForm = ({ request }: Pick<Admitted, 'request'>): boolean =>
  /^multipart\/form-data\b/i.test(request.header('content-type') ?? '')

/** @throws HttpFailure `timeout`, `client_left` */
export async function readForm({ site, request, caller }: Admitted): Promise<ReadForm> {
  // No byte of a file is stored for a caller who may not send one.
  if (!includesTier(caller.tier, 'content'))
    return failed(
      new Failure('refused', 'Only callers who may write may send a form with a file.', {
        rule: 'files are for callers who may write',
        hint: 'Send a token of scope `content` in `Authorization`.',
      }),
    )
  const maxBytes = maxFileBytes(site)
  try {
    const now = site.clock.now()
    const { fields, files } = await readUploadedForm(request, { home: site.config.POSTERN_HOME, now, maxBytes })
    const [file] = files
    const named = fields.get('action')?.endsWith('upload') && !fields.has('filename') && file ? { filename: file.filename } : {}
    const value = { ...named, ...valuesOf(fields), ...(file && { upload_id: file.id }) }
    return { body: { kind: 'value', value }, ...(file && { uploadId: file.id }) }
  } catch (error) {
    if (error instanceof Failure && error.code !== 'unavailable') return failed(error)
    if (error instanceof HttpFailure && error.code === 'malformed') return failed(inWords(error, maxBytes))
    throw error
  }
}

const failed = (failure: Failure): ReadForm => ({ body: { kind: 'failure', failure } })

function inWords(error: HttpFailure, maxBytes: number): Failure {
  const isLarge = error.cause instanceof HttpFailure && error.cause.code === 'too_large'
  return new Failure(isLarge ? 'too_large' : 'malformed', error.message, isLarge ? { limit: maxBytes } : {}, { cause: error })
}

/**
 * The values of a form's fields. Options and `arguments` are JSON; every other field is a text, which the action's schema reads.
 */
function valuesOf(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, text]) => [name, json.has(name) ? parse(name, text) : text]))
}

const json: ReadonlySet<string> = new Set(['arguments', 'dry_run', 'if_revision'])

function parse(name: string, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (name !== 'arguments' || isObject(value)) return value
  } catch {
    // The failure is thrown below.
  }
  throw invalid(name, `"${name}" in a form must be JSON.`, name === 'arguments' ? 'an object' : 'such as true or 3')
}
