// Checks the PostgreSQL server of the settings, for a site that may not exist yet.

import { Failure } from '../../base/failure.ts'
import { type DatabaseSettings, findDatabase } from './place.ts'
import { checkDatabase, databaseChecks, type ServerFacts } from '../postgres/check-database.ts'
import { toOwner } from '../postgres/connect.ts'

export interface TriedServer {
  /** Undefined if the server can't be reached. */
  readonly facts: ServerFacts | undefined
  readonly checks: readonly TriedCheck[]
}

export interface TriedCheck {
  readonly check: 'settings' | (typeof databaseChecks)[number]
  /** `unknown`: an earlier fault prevented the check. */
  readonly state: 'ok' | 'broken' | 'unknown'
  /** The fault, in one sentence with its remedy. */
  readonly failure: Failure | undefined
}

/** @throws Failure `unavailable` if the connection is lost during the checks */
export async function tryServer(settings: DatabaseSettings): Promise<TriedServer> {
  const place = await findDatabase(settings).catch(failureOf)
  if (place instanceof Failure) return { facts: undefined, checks: resultsOf(new Map([['settings', place]]), true) }
  if (!('postgres' in place)) throw new TypeError('The settings name no server.')
  const { facts, faults } = await checkDatabase(place.postgres)
  const failures = new Map<string, Failure>()
  for (const [check, fault] of faults) failures.set(check, failureOf(toOwner(fault)))
  return { facts, checks: resultsOf(failures, facts === undefined) }
}

function resultsOf(failures: ReadonlyMap<string, Failure>, isOut: boolean): readonly TriedCheck[] {
  const first = ['settings', ...databaseChecks].findIndex((check) => failures.has(check))
  return (['settings', ...databaseChecks] as const).map((check, place) => {
    const failure = failures.get(check)
    return { check, failure, state: failure ? 'broken' : isOut && place > first ? 'unknown' : 'ok' }
  })
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}
