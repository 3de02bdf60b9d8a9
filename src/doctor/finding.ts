// A row of the doctor, and the finding of a row or of a check of the site's health: a state, a sentence, the observed answer, and
// the line that fixes the fault. `SVC_Health.check`, `postern doctor` and the admin all show this type.

import type { Doctor } from './doctor.ts'
import { type Fix, lineOf } from './front-fix.ts'

/** The states of a finding. `unknown`: the state could not be determined. */
export const findingStates = ['ok', 'warning', 'broken', 'unknown'] as const
export type FindingState = (typeof findingStates)[number]

/** The conclusion of a row or a check. A row of the doctor that returns none found no fault. */
export interface Verdict {
  readonly state: FindingState
  readonly message: string
  /** A command, a line of configuration or a call; null if there is nothing to do. */
  readonly fix: Fix | null
  /** A short description of the answer that came. */
  readonly seen?: string | undefined
}

export interface Finding {
  readonly id: string
  readonly state: FindingState
  readonly message: string
  readonly seen: string | null
  readonly fix: string | null
  /** The subject of the row, or the program that checked. */
  readonly source: string
}

export interface Row {
  readonly id: string
  /** The subject of the row. */
  readonly source: string
  /**
   * The need of the row in addition to the public address. `seen`: the doctor's key, with which the service reports what arrives.
   * `token`: a token that can read.
   */
  readonly needs?: 'seen' | 'token'
  /** True for a row that takes more than a minute. It runs only on request. */
  readonly slow?: boolean
  /**
   * True if the service has a check of the same name that finds more, because it creates test files. Where that check runs, this
   * row doesn't.
   */
  readonly planted?: boolean
  /** True if the row asks the nodes of a site on several machines. It is skipped if none is named. */
  readonly nodes?: boolean
  /** True if the row runs before all others. They are skipped if the site doesn't answer. */
  readonly first?: boolean
  run(doctor: Doctor): Promise<readonly Verdict[]>
}

export const ok = (message: string): Verdict => ({ state: 'ok', message, fix: null })
export const broken = (message: string, fix: Fix | null, seen?: string): Verdict => ({ state: 'broken', message, fix, seen })
export const warning = (message: string, fix: Fix | null, seen?: string): Verdict => ({ state: 'warning', message, fix, seen })
export const unknown = (message: string, fix: Fix | null = null): Verdict => ({ state: 'unknown', message, fix })

/** @param server the header `Server` of the site's answers, which chooses the line of a fix */
export function findingOf({ id, source }: Pick<Finding, 'id' | 'source'>, verdict: Verdict, server?: string): Finding {
  const { state, message, fix, seen = null } = verdict
  return { id, state, message, seen, fix: fix === null ? null : lineOf(fix, server), source }
}

/** True if a finding requires action. */
export const needsWork = ({ state }: Finding): boolean => state === 'warning' || state === 'broken'

/** The fault of the first item that has one. A row often looks at several doors, and one sentence is enough. */
export function firstOf<T>(looked: readonly T[], faultOf: (one: T, index: number) => Verdict | undefined): readonly Verdict[] {
  for (const [index, one] of looked.entries()) {
    const fault = faultOf(one, index)
    if (fault) return [fault]
  }
  return []
}
