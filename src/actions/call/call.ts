// A call from a door to dispatch, and its outcome.

import type { Failure } from '../../base/failure.ts'
import type { JsonText } from '../../base/json.ts'
import type { Progress } from '../../jobs/jobs.ts'
import type { RowChange } from '../../store/change/change.ts'
import type { CallOptions } from './options.ts'
import type { WriteWarning } from './write-answer.ts'

/** A call. `name` is `CLASS.ACTION`. */
export interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options: CallOptions
}

/** The door's facts about the request of a call. */
export interface Around {
  /** Origin and base path for links, without a slash at the end. */
  readonly origin: string
  readonly signal?: AbortSignal
  /** The longest wait for a job before the answer is `{job}`. The default is a setting. */
  readonly jobWaitMs?: number
  /** Called with the progress of a job that the call waits for. */
  readonly onProgress?: (progress: Progress) => void
  /** Called with the changes and the time of a dry run, before it is rolled back. */
  readonly onTried?: (changes: readonly RowChange[], now: number) => void
  /**
   * True for an autosave. It is merged with the preceding autosave of the same person: both are one revision and one record. Only
   * the admin sets it.
   */
  readonly autosave?: boolean
  /** True if the answer of a read may be longer than 80 KB. Only the admin sets it, for the whole text of an entry. */
  readonly longAnswer?: boolean
  /** True for a slice of a call that was too long for one transaction. The call was counted and is not cut again. */
  readonly isSlice?: boolean
  /** The record of which that of this call is a part (slices.ts). */
  readonly partOf?: string
  /** The job that this call runs again. */
  readonly restarts?: string
}

/** The outcome of a call, which each door answers in its own format. */
export type Outcome =
  /** `pending`: nothing was done, because the call waits for an admin. `warnings` are about the form of the call. */
  | { readonly ok: true; readonly data: JsonText; readonly pending?: true; readonly warnings?: readonly WriteWarning[] }
  | { readonly ok: false; readonly failure: Failure }
