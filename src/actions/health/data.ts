// Checks the data: the database file, its write-ahead log, and the last good backup.

import { findTarget, listCopyRows, sendIntervals } from '../../backup/elsewhere/target-store.ts'
import { findGood } from '../../backup/backup-store.ts'
import { broken, ok, warning } from '../../doctor/finding.ts'
import { Failure } from '../../base/failure.ts'
import type { Store } from '../../store/core/database.ts'
import type { Check } from './health-check.ts'

/** A PostgreSQL server manages its files, its log and, if the owner wants it, its backups. */
const words: Readonly<Record<Store['engine'], { readonly sound: string; readonly fix: string; readonly backups: string }>> = {
  SQLite: {
    sound: 'The database is sound.',
    fix: 'systemctl stop postern && scripts/postern restore latest',
    backups: '',
  },
  PostgreSQL: {
    sound: 'PostgreSQL answers, and knows of no damage to the database.',
    fix: "Look into the server's log; rebuild an index, and restore damaged pages from a backup: https://www.postgresql.org/docs/current/backup.html",
    backups: " by Postern, which can't see those of the database server",
  },
}

export const databaseCheck: Check = {
  id: 'database',
  async run({ store }, signal) {
    const faults = await store.findDamage(signal)
    const { sound, fix } = words[store.engine]
    if (faults.length === 0) return ok(sound)
    return broken(`The database is damaged: ${faults.join('; ').slice(0, 300)}.`, fix)
  },
}

export const serverCheck: Check = {
  id: 'database-server',
  async run({ store }) {
    const fault = await store.findServerFault()
    return fault
      ? broken(fault.message, fault.fix)
      : ok('The server of the database does what several nodes need, or there is none.')
  },
}

const maxWalBytes = 256 * 1024 ** 2

export const walCheck: Check = {
  id: 'wal',
  async run({ store }) {
    if (store.engine === 'PostgreSQL') return ok('The server of the database looks after its write-ahead log.')
    const { log: size } = await store.measureFiles()
    if (size <= maxWalBytes) return ok('The write-ahead log of the database is small.')
    const message = `The write-ahead log of the database has grown to ${Math.round(size / 1024 ** 2)} MiB: something keeps SQLite from writing it back.`
    return warning(message, 'systemctl restart postern')
  },
}

/** The longest age of the last good backup, here or elsewhere, before it counts as old. */
const maxBackupMs = 36 * 3_600_000

export const backupCheck: Check = {
  id: 'backup',
  async run({ store, clock }) {
    const last = await findGood(store.read)
    // A new site has no backup yet.
    const first = await store.read.selectFrom('account').select('created_at').orderBy('created_at').limit(1).executeTakeFirst()
    const since = last?.created_at ?? first?.created_at
    if (since === undefined || clock.now() - since <= maxBackupMs) return ok('The last good backup is not old.')
    const hours = Math.floor((clock.now() - since) / 3_600_000)
    const { backups } = words[store.engine]
    const message = last ? `The last good backup${backups} is ${hours} hours old.` : `There is no good backup${backups}.`
    return warning(message, 'systemctl enable --now postern-backup.timer   (to make one now: scripts/postern backup)')
  },
}

/** Reads what the runs noted. It asks no other machine. */
export const elsewhereCheck: Check = {
  id: 'backups-elsewhere',
  async run({ store, clock }) {
    const target = await findTarget(store.read)
    // This is not a fault: backups elsewhere are optional.
    if (!target) return ok('No place elsewhere is set for backups.')
    const { since, reached_at: reached, error } = target.row
    const copies = (await listCopyRows(store.read)).filter(({ sent_at: at }) => at !== null)
    const faulty = copies.find((copy) => copy.error !== null)
    if (faulty && !copies.some((copy) => copy.error === null && copy.created_at > faulty.created_at))
      return broken(`The newest backup elsewhere can't be restored: ${faulty.error}`, 'postern backup send   (sends it again)')
    if (error !== null)
      return warning(`Backups could not be sent elsewhere: ${error}`, 'postern backup send   (to try again now)')
    const newest = copies[0]?.created_at ?? since
    const hours = Math.floor((clock.now() - newest) / 3_600_000)
    const lateMs = maxBackupMs + sendIntervals[target.every]
    if (reached === null && clock.now() - since > lateMs)
      return warning('No backup was sent elsewhere yet.', 'postern backup send   (says why)')
    if (clock.now() - newest > lateMs)
      return warning(`The newest backup elsewhere is ${hours} hours old.`, 'postern backup && postern backup send')
    return ok('Backups are sent elsewhere.')
  },
}

export const passphraseCheck: Check = {
  id: 'backup-passphrase',
  async run({ backups }) {
    try {
      if (await backups.hasPassphrase()) return ok('Backups are sealed with a passphrase.')
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const fix = error.detail.hint ?? 'POSTERN_BACKUP_PASSPHRASE_FILE must name a file that the service can read'
      return broken(`No backup can be made: ${error.message}`, fix)
    }
    // This is not a fault: backups elsewhere are optional.
    return ok('Backups have no passphrase. They are not sealed, so they can only be kept on this machine.')
  },
}
