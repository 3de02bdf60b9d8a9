// A call, from the door that read it to the outcome that it takes back.

import type { Failure } from '../failure.ts'
import type { JsonText } from '../json.ts'
import type { CallOptions } from './options.ts'

/** A call as a door read it: `name` is `CLASS.ACTION`. */
export interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options: CallOptions
}

/** What a door says of the request that a call came in. */
export interface Around {
  /** Where links lead, without a slash at the end. */
  readonly origin: string
  readonly signal?: AbortSignal
  /** How long to wait for the work of an action that runs as a job before `{job}` is the answer; as the setting says, unless told. */
  readonly jobWaitMs?: number
  /** The job that this call runs again. */
  readonly restarts?: string
}

/** What a door gets for a call; each puts it into its own form. */
export type Outcome = { readonly ok: true; readonly data: JsonText } | { readonly ok: false; readonly failure: Failure }
