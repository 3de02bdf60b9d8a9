// A call as a door passes it to dispatch, and its outcome.

import type { Failure } from '../failure.ts'
import type { JsonText } from '../json.ts'
import type { RowChange } from '../store/change.ts'
import type { CallOptions } from './options.ts'

/** A call as a door read it: `name` is `CLASS.ACTION`. */
export interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options: CallOptions
}

/** The facts about the request of a call that its door knows. */
export interface Around {
  /** Origin and base path for links, without a slash at the end. */
  readonly origin: string
  readonly signal?: AbortSignal
  /** The time to wait for a job before the answer is `{job}`. The default is a setting. */
  readonly jobWaitMs?: number
  /** Called with the changes of a dry run and its time, before they are rolled back. */
  readonly onTried?: (changes: readonly RowChange[], now: number) => void
  /**
   * True for an autosave. It joins the autosave before it of the same person: both are one revision and one
   * record. Only the admin asks for it.
   */
  readonly autosave?: boolean
  /**
   * True if the answer to a call that reads may be longer than 80 KB. Only the admin asks for it, for the whole text of an entry.
   */
  readonly longAnswer?: boolean
  /** The job that this call runs again. */
  readonly restarts?: string
}

/** The outcome of a call. Each door answers it in its own format. */
export type Outcome =
  /** `pending`: nothing was done, because the call waits for an admin. */
  { readonly ok: true; readonly data: JsonText; readonly pending?: true } | { readonly ok: false; readonly failure: Failure }
