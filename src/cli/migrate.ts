// `postern migrate`: runs the pending migrations of the database. A start also runs them.

import { createLog } from '../base/log.ts'
import { type Command, flag, readFlags } from './command.ts'
import { configOf, checkSite } from './open-site.ts'

export const migrate: Command = {
  usage: 'migrate [--dry-run] [--json]',
  summary: 'Runs the pending migrations of the database and prints their names.',
  details: ['--dry-run   Only prints the pending migrations.'],
  async run(args, io) {
    const values = readFlags(args, { 'dry-run': flag, json: flag })
    const config = configOf(io)
    await checkSite(config)
    const { openStore } = await import('../store/core/database.ts')
    const { migrateToLatest, pendingMigrations } = await import('../store/core/migrate.ts')
    const { databaseOf } = await import('../app/compose.ts')
    const { enterHome } = await import('../backup/enter-home.ts')
    const place = await databaseOf(config)
    const { leave } = await enterHome(config.POSTERN_HOME, place)
    try {
      const log = createLog('error', (line) => io.err(`${line}\n`))
      const store = await openStore({ ...place, log })
      try {
        const names = await (values['dry-run'] ? pendingMigrations(store) : migrateToLatest(store))
        io.out(values.json ? `${JSON.stringify(names)}\n` : names.map((name) => `${name}\n`).join(''))
        if (names.length === 0) io.err('The database is up to date.\n')
      } finally {
        await store.close()
      }
    } finally {
      await leave()
    }
  },
}
