// The one way in which anything in Postern says no: a code, a sentence for people, and what helps to do better.
// What each door makes of a code (status, exit code, page) stands in a table at that door.

/** What a caller can do next, not which operation failed (ACTIONS.md, "error code"; and the HTTP-level ones of the design). */
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

/** One of the sixteen codes of an action's failure. */
export type Code = (typeof codes)[number]

/** What a failure carries beside its sentence; each member only where it helps. Values are JSON. */
export interface FailureDetail {
  /** The input field at fault, with dots: `edits.0.find`. */
  readonly field?: string
  /** What would have been right, in words or as a list of the values taken. */
  readonly expected?: unknown
  /** What to do or call next. */
  readonly hint?: string
  /** `malformed`: offset of the fault in the text that came. */
  readonly position?: number
  /** `unknown_action`, `invalid`: the nearest right ones that the caller may use. */
  readonly nearest?: readonly string[]
  /** `not_found`: the id or name that was asked. */
  readonly id?: string
  /** `conflict`: the revision that stands, and what changed since the one given. */
  readonly revision?: number
  readonly changes?: unknown
  /** `conflict`: how many were really there, where `expect` said otherwise. */
  readonly found?: number
  /** `exists`, `in_use`: by what. */
  readonly by?: unknown
  /** `exists`: one that is free. */
  readonly free?: string
  /** `key_reused`: when the key came first. */
  readonly at?: string
  /** `too_large`: the limit, in bytes unless the sentence says otherwise. */
  readonly limit?: number
  /** `refused`: which rule, and who can change it. */
  readonly rule?: string
  /** `rate_limited`, `unavailable`: seconds to wait. */
  readonly retry_after?: number
  /** `failed`, `unavailable`: what finds the line in the log. */
  readonly reference?: string
  /** `failed`: the plugin whose fault it was. */
  readonly plugin?: string
}

/** A refusal with a code. Thrown by actions and store functions; `dispatch` catches it once and returns it. */
export class Failure extends Error {
  readonly code: Code
  readonly detail: FailureDetail

  constructor(code: Code, message: string, detail: FailureDetail = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.detail = detail
  }

  /** The object that every door shows: `{code, message, …detail}`. */
  toJSON(): { code: Code; message: string } & FailureDetail {
    return { code: this.code, message: this.message, ...this.detail }
  }
}

/** The `not_found` of a thing that isn't there, or that this caller may not see; told alike. */
export function notFound(what: string, id: string, hint?: string): Failure {
  return new Failure('not_found', `There is no ${what} ${JSON.stringify(id)}.`, hint === undefined ? { id } : { id, hint })
}
