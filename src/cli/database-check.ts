// `postern database check`: tests the PostgreSQL database of the settings. It needs no site and creates none.

import { Failure } from '../failure.ts'
import type { DatabasePlace } from '../store/database.ts'
import type { CheckedDatabase } from '../store/postgres/check-database.ts'
import { type Command, type Io, readFlags, UsageError } from './command.ts'
import { exit, exitCodes } from './exit.ts'
import { configOf } from './open-site.ts'

/** A line of the result. `unknown`: an earlier fault kept it from being tested. */
interface Row {
  readonly check: string
  readonly state: 'ok' | 'broken' | 'unknown'
  readonly message: string | null
}

export const databaseCheck: Command = {
  usage: 'database check [--json]',
  summary:
    'Tests the PostgreSQL database of the settings: connection, version, encoding, sessions, rights and locks. Needs no site.',
  details: ['Changes nothing: a table that it creates is taken back.'],
  async run(args, io) {
    const { json } = readFlags(args, { json: { type: 'boolean', default: false } })
    const config = configOf(io)
    if (config.POSTERN_DATABASE_URL === undefined)
      throw new UsageError(
        'POSTERN_DATABASE_URL is not set, so the database is a file in the home, which needs no test.',
        'POSTERN_DATABASE_URL=postgres://postern@db.example.org/postern postern database check',
      )
    const { databaseOf } = await import('../compose.ts')
    const { checkDatabase, databaseChecks } = await import('../store/postgres/check-database.ts')
    const { toOwner } = await import('../store/postgres/connect.ts')
    const place: DatabasePlace | Failure = await databaseOf(config).catch(failureOf)
    const checked = place instanceof Failure || !('postgres' in place) ? undefined : await checkDatabase(place.postgres)
    const failures = new Map<string, Failure>(place instanceof Failure ? [['settings', place]] : [])
    for (const [check, fault] of checked?.faults ?? []) failures.set(check, failureOf(toOwner(fault)))
    const names = ['settings', ...databaseChecks]
    const rows = names.map((check): Row => {
      const message = failures.get(check)?.message ?? null
      const isUnknown = failures.has('settings') || (failures.has('connection') && check !== 'settings')
      return { check, state: message !== null ? 'broken' : isUnknown ? 'unknown' : 'ok', message }
    })
    tell(io, json, checked, rows)
    for (const { message, detail } of failures.values()) io.err(`${message}${detail.hint ? `\nTry: ${detail.hint}` : ''}\n`)
    const [first] = failures.values()
    if (first) return exitCodes[first.code]
    io.err('Postern can use this database.\n')
    return exit.ok
  },
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

function tell(io: Io, json: boolean, checked: CheckedDatabase | undefined, checks: readonly Row[]): void {
  const facts = checked?.facts
  if (json) return io.out(`${JSON.stringify({ ...facts, checks })}\n`)
  if (!facts) return
  const { host, version, encoding, collation, schema, site } = facts
  const lines = [
    ['server', `${host}, PostgreSQL ${version}`],
    ['database', `encoding ${encoding}, collation ${collation}`],
    ['schema', `${schema}, ${site ? 'with a site' : 'no site yet'}`],
  ]
  io.out(lines.map((cells) => `${cells.join('\t')}\n`).join(''))
}
