// `postern move`: copies the site from its SQLite file to PostgreSQL, or the other way round, while no service runs. The source
// doesn't change.

import { join, resolve } from 'node:path'
import type { Moved } from '../backup/move.ts'
import { databasePath } from '../backup/manifest.ts'
import type { Config } from '../base/config.ts'
import { type DatabasePlace } from '../store/core/database.ts'
import { type Command, flag, type Io, readFlags, UsageError } from './command.ts'
import { configOf } from './open-site.ts'

export const move: Command = {
  usage: 'move --to postgres://…|sqlite|FILE [--json]',
  summary:
    'Copies the site to PostgreSQL, or back to an SQLite file, and prints the setting to put in place. Stop the service first.',
  details: [
    '--to postgres://…   The address of an empty schema. Its password may be in the file that POSTERN_DATABASE_PASSWORD_FILE names.',
    '--to sqlite         The file data/postern.db in the home, for a site on PostgreSQL; a path names another file.',
    'Every table is compared afterwards. The site that was copied is not changed. If a move is interrupted, run it again.',
  ],
  async run(args, io) {
    const { to, json } = readFlags(args, { to: { type: 'string' }, json: flag })
    if (to === undefined || to === '')
      throw new UsageError('Where to?', 'postern move --to postgres://postern@db.example.org/postern')
    const config = configOf(io)
    const { moveSite } = await import('../backup/move.ts')
    const { databaseOf } = await import('../app/compose.ts')
    const [from, target] = [await databaseOf(config), await targetOf(config, to)]
    const moved = await moveSite({ home: config.POSTERN_HOME, from, to: target, onRows: progressOf(io) })
    const setting = `POSTERN_DATABASE_URL=${'path' in target ? '' : withoutPassword(to)}`
    io.out(json ? `${JSON.stringify({ ...moved, setting })}\n` : `${setting}\n`)
    tell(io, config, target, moved)
  },
}

const isAddress = (text: string): boolean => /^[a-z]+:\/\//i.test(text)

async function targetOf(config: Config, to: string): Promise<DatabasePlace> {
  const { findDatabase } = await import('../store/core/place.ts')
  const path = to === 'sqlite' ? join(config.POSTERN_HOME, databasePath) : resolve(to)
  return findDatabase({
    url: isAddress(to) ? to : undefined,
    passwordFile: isAddress(to) ? config.POSTERN_DATABASE_PASSWORD_FILE : undefined,
    path,
  })
}

const withoutPassword = (url: string): string => url.replace(/^([a-z]+:\/\/[^:@/?#]*):[^@/?#]*@/i, '$1@')

const everyRows = 100_000

/** Reports the progress of a long copy. */
function progressOf({ err }: Io): (table: string, rows: number) => void {
  let [copied, reported] = [0, 0]
  return (table, rows) => {
    copied += rows
    if (copied - reported < everyRows) return
    reported = copied
    err(`${copied} rows so far, now in the table ${table}\n`)
  }
}

function tell({ err }: Io, { POSTERN_HOME: home }: Config, target: DatabasePlace, { how, again, tables, rows }: Moved): void {
  if (again) err('An earlier move was interrupted and had left nothing in the target, so this one started anew.\n')
  if (how === 'already')
    err(`The site had been moved before: all ${tables} tables with ${rows} rows are the same. Nothing was copied.\n`)
  else err(`Copied ${rows} rows of ${tables} tables, and compared each table.\n`)
  const usual = join(home, databasePath)
  const file = 'path' in target && target.path !== usual ? `move ${target.path} to ${usual}, ` : ''
  const setting = 'path' in target ? `${file}remove POSTERN_DATABASE_URL from the settings` : 'put this setting in place'
  err(`Next: ${setting}, start the service, and keep the old database until you have seen that all is well.\n`)
}
