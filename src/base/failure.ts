// The only type of failure in Postern: a code, a sentence for people, and details that help the caller to proceed. Each door has
// a table that turns the code into a status, an exit code or a page.

/** The codes. A code says what the caller can do next, not which operation failed. */
export const codes = [
  'malformed',
  'invalid',
  'unknown_action',
  'not_found',
  'conflict',
  'exists',
  'in_use',
  'key_reused',
  'too_large',
  'unsupported',
  'unprocessable',
  'refused',
  'unreachable',
  'rate_limited',
  'failed',
  'unavailable',
] as const

export type Code = (typeof codes)[number]

/** Details of a failure. Each is present only if it helps. Values are JSON. */
export interface FailureDetail {
  /** The input field at fault, with dots: `edits.0.find`. */
  readonly field?: string
  /** The value that would have been right, in words or as a list of the accepted values. */
  readonly expected?: unknown
  /** The next thing to do or call. */
  readonly hint?: string
  /** `unprocessable`: the file at fault, and its line from 1. */
  readonly file?: string
  readonly line?: number
  /** `malformed`: offset of the fault in the text. */
  readonly position?: number
  /** `unknown_action`, `invalid`, `not_found`: the nearest valid values that the caller may use. */
  readonly nearest?: readonly string[]
  /** `not_found`: the id or name that was not found. */
  readonly id?: string
  /** `conflict`: the current revision, and the changes since the given one. */
  readonly revision?: number
  readonly changes?: unknown
  /** `conflict`: the changes that the caller was shown, and those that the call would make now. */
  readonly shown?: unknown
  readonly now?: unknown
  /** `conflict`: the actual count, if it differs from `expect`. */
  readonly found?: number
  /** `exists`, `in_use`: the conflicting object. */
  readonly by?: unknown
  /** `exists`: a value that is free. */
  readonly free?: string
  /** `key_reused`: the time at which the key was first used. */
  readonly at?: string
  /** `too_large`: the limit, in bytes unless the sentence says otherwise. */
  readonly limit?: number
  /** `refused`: the rule, and who can change it. */
  readonly rule?: string
  /** `rate_limited`, `unavailable`: seconds to wait. */
  readonly retry_after?: number
  /** `failed`, `unavailable`: the reference of the line in the log. */
  readonly reference?: string
  /** `failed`: the plugin that broke. */
  readonly plugin?: string
}

/** The codes after which waiting helps. Such a failure always contains the time to wait. */
const waitCodes: ReadonlySet<string> = new Set<Code>(['rate_limited', 'unavailable'])
export const usualWaitSeconds = 5

/** A failure with a code. Actions and store functions throw it; `dispatch` catches it and returns it. */
export class Failure extends Error {
  readonly code: Code
  readonly detail: FailureDetail

  constructor(code: Code, message: string, detail: FailureDetail = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.detail = waitCodes.has(code) ? { retry_after: usualWaitSeconds, ...detail } : detail
  }

  /** The object that every door returns: `{code, message, …detail}`. */
  toJSON(): { code: Code; message: string } & FailureDetail {
    return { code: this.code, message: this.message, ...this.detail }
  }
}

/** Makes an `invalid` for a field. @param expected the right value, in words or as a list of the accepted values */
export const invalid = (field: string, sentence: string, expected: unknown): Failure =>
  new Failure('invalid', sentence, { field, expected })

/** Makes a `not_found`, with the same sentence for a missing object and for one that the caller may not see. */
export function notFound(what: string, id: string, hint?: string): Failure {
  return new Failure('not_found', `There is no ${what} ${JSON.stringify(id)}.`, hint === undefined ? { id } : { id, hint })
}
