// A row of the doctor, and the finding of a row or of a check of the site's health: a state, a sentence, what was seen, and the
// line that mends it. `SVC_Health.check`, `postern doctor` and the admin all show this one type.

import type { Doctor } from './doctor.ts'
import { type Fix, lineOf } from './front-fix.ts'

/** `unknown`: it could not be determined. */
export const findingStates = ['ok', 'warning', 'broken', 'unknown'] as const
export type FindingState = (typeof findingStates)[number]

/** The conclusion of a row or a check. A row of the doctor that returns none has found nothing wrong. */
export interface Verdict {
  readonly state: FindingState
  readonly message: string
  /** A command, a line of configuration or a call; null where there is nothing to do. */
  readonly fix: Fix | null
  /** The answer that came back, in few words. */
  readonly seen?: string | undefined
}

/** A verdict with the row or check that it belongs to. */
export interface Finding {
  readonly id: string
  readonly state: FindingState
  readonly message: string
  readonly seen: string | null
  readonly fix: string | null
  /** The subject of the row, or the one who looked. */
  readonly source: string
}

export interface Row {
  readonly id: string
  /** The subject of the row. */
  readonly source: string
  /** `seen`: the doctor's key, by which the service reports what arrives. `token`: a token that can read. */
  readonly needs: 'outside' | 'seen' | 'token'
  /** Takes more than a minute, so it runs only when asked for. */
  readonly slow?: boolean
  /** The service has a check of the same name that finds more, because it plants files. Where that check runs, this row doesn't. */
  readonly planted?: boolean
  /** Asks the nodes of a site on several machines. Left out where none is named. */
  readonly nodes?: boolean
  /** Runs before all others. The others are skipped where nothing answers. */
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

/** True if a finding asks for something to be done. */
export const needsWork = ({ state }: Finding): boolean => state === 'warning' || state === 'broken'

/** The fault of the first that has one. A row often looks at several doors, and one sentence is enough. */
export function firstOf<T>(looked: readonly T[], faultOf: (one: T, index: number) => Verdict | undefined): readonly Verdict[] {
  for (const [index, one] of looked.entries()) {
    const fault = faultOf(one, index)
    if (fault) return [fault]
  }
  return []
}
