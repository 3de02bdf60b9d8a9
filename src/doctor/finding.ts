// What a row of the doctor is, and what it finds: a state, a sentence, what was seen, and one line that mends it.

import type { Doctor } from './doctor.ts'
import type { Fix } from './front-fix.ts'

export type DoctorState = 'ok' | 'warning' | 'broken' | 'unknown'

/** What one look came to. A row with none is well. */
export interface Verdict {
  readonly state: DoctorState
  readonly message: string
  readonly fix: Fix | null
  /** What came back, in few words. */
  readonly seen?: string | undefined
}

export interface Finding {
  readonly id: string
  readonly state: DoctorState
  readonly message: string
  readonly seen: string | null
  readonly fix: string | null
  /** What the row looks for, in words. */
  readonly source: string
}

export interface Row {
  readonly id: string
  readonly source: string
  /** `seen`: the doctor's key, without which nobody knows what arrives; `token`: one that reads. */
  readonly needs: 'outside' | 'seen' | 'token'
  /** Takes more than a minute: only where asked for. */
  readonly slow?: boolean
  /** The service's own check of this name finds more, by files that it plants: where that is run, this row isn't. */
  readonly planted?: boolean
  /** Looked at before all others, which are left where nothing answers. */
  readonly first?: boolean
  run(doctor: Doctor): Promise<readonly Verdict[]>
}

export const broken = (message: string, fix: Fix | null, seen?: string): Verdict => ({ state: 'broken', message, fix, seen })
export const warning = (message: string, fix: Fix | null, seen?: string): Verdict => ({ state: 'warning', message, fix, seen })
export const unknown = (message: string, fix: Fix | null = null): Verdict => ({ state: 'unknown', message, fix })
/** Well, and worth a word. */
export const note = (message: string): Verdict => ({ state: 'ok', message, fix: null })

/** The fault of the first that has one; a row often looks at several doors, and one sentence is enough. */
export function firstOf<T>(looked: readonly T[], faultOf: (one: T, index: number) => Verdict | undefined): readonly Verdict[] {
  for (const [index, one] of looked.entries()) {
    const fault = faultOf(one, index)
    if (fault) return [fault]
  }
  return []
}
