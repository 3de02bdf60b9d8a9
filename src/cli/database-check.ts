// `postern database check`: tests the PostgreSQL database of the settings. It needs no site and creates none.

import type { TriedServer } from '../store/core/try-server.ts'
import { type Command, flag, type Io, readFlags, UsageError } from './command.ts'
import { exit, exitCodes } from './exit.ts'
import { failureText } from './failure-text.ts'
import { configOf } from './open-site.ts'

export const databaseCheck: Command = {
  usage: 'database check [--json]',
  summary:
    'Tests the PostgreSQL database of the settings: connection, version, encoding, sessions, rights and locks. Needs no site.',
  details: ['Changes nothing: a table that it creates is rolled back.'],
  async run(args, io) {
    const { json } = readFlags(args, { json: flag })
    const config = configOf(io)
    if (config.POSTERN_DATABASE_URL === undefined)
      throw new UsageError(
        'POSTERN_DATABASE_URL is not set, so the database is a file in the home, which needs no test.',
        'POSTERN_DATABASE_URL=postgres://postern@db.example.org/postern postern database check',
      )
    const { databaseSettingsOf } = await import('../app/compose.ts')
    const { tryServer } = await import('../store/core/try-server.ts')
    const tried = await tryServer(databaseSettingsOf(config))
    tell(io, json, tried)
    const failures = tried.checks.flatMap(({ failure }) => failure ?? [])
    for (const failure of failures) io.err(failureText(failure))
    const [first] = failures
    if (first) return exitCodes[first.code]
    io.err('Postern can use this database.\n')
    return exit.ok
  },
}

function tell(io: Io, json: boolean, { facts, checks }: TriedServer): void {
  if (json) {
    const rows = checks.map(({ check, state, failure }) => ({ check, state, message: failure?.message ?? null }))
    return io.out(`${JSON.stringify({ ...facts, checks: rows })}\n`)
  }
  if (!facts) return
  const { host, version, encoding, collation, schema, site } = facts
  const lines = [
    ['server', `${host}, PostgreSQL ${version}`],
    ['database', `encoding ${encoding}, collation ${collation}`],
    ['schema', `${schema}, ${site ? 'with a site' : 'no site yet'}`],
  ]
  io.out(lines.map((cells) => `${cells.join('\t')}\n`).join(''))
}
