// What a check of the site's health is, and what it finds.

import type { Services } from '../services.ts'

/** `unknown`: it could not be found out. */
export const healthStates = ['ok', 'warning', 'broken', 'unknown'] as const
export type HealthState = (typeof healthStates)[number]

/** What a check found: a sentence for people, and where something is to be done, what. */
export interface CheckResult {
  readonly state: HealthState
  readonly message: string
  /** A command, a line of configuration or a call; null where there is nothing to do. */
  readonly fix: string | null
}

export interface Check {
  readonly check: string
  /** Asks through the site's public address. */
  readonly outside?: boolean
  /** @param signal ends what would take long: the caller has left, or the service stops */
  run(site: Services, signal: AbortSignal): Promise<CheckResult>
}

/** What a check says that found nothing. */
export const ok = (message: string): CheckResult => ({ state: 'ok', message, fix: null })
