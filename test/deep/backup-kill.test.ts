// The long form of attack 120 for backups: many moments instead of a few.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAllRows } from '../backup/all-rows.ts'
import { openBackupSite } from '../backup/backup-site.ts'
import { checkPairs, killMoves, killPostgresRestores, underWriters } from '../backup/kill-moves.ts'
import { killBackups, killRestores } from '../backup/kill-runs.ts'
import { makePostgresDatabase } from '../postgres.ts'
import { openSite } from '../site.ts'

test('attack 120: thirty backups killed at any moment', async () => {
  await using site = await openSite()
  await killBackups(site, 30)
})

test('attack 120: sixty restores killed at any moment', () => killRestores(60))

test('attack 120: thirty restores into PostgreSQL killed at any moment', () => killPostgresRestores(30))

test('attack 120: fifteen moves to PostgreSQL and back killed at any moment', () => killMoves(15))

test('a backup on PostgreSQL under eight writers holds one moment, and no write fails', async () => {
  await using database = await makePostgresDatabase()
  await using at = await openBackupSite(database.url)
  const site = await at.open()
  const { result } = await underWriters(site, 8, () => site.backups.create({ note: null }))
  await at.close()
  await using plain = await openBackupSite()
  await plain.restore(join(at.backups, result.file))
  const restored = await readAllRows(join(plain.home, 'data/postern.db'))
  const pairs = checkPairs(restored['setting'] ?? [])
  await at.restore(result.file)
  const there = await readAllRows(database.url)
  assert.deepEqual(there['setting'], restored['setting'])
  assert.ok(pairs > 8, String(pairs))
})
