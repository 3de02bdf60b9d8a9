// Second factors after a restore: what was removed or used up since the backup does not come back, and what was added since still guards its account.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import type { Site } from '../../src/app/compose.ts'
import { makeRecoveryCodes, takeRecoveryCode } from '../../src/identity/recovery-codes.ts'
import { addTotp, settleSecondFactor, takeTotp } from '../../src/identity/second-factor-store.ts'
import { hotp, totpStep } from '../../src/identity/totp.ts'
import { createChange } from '../../src/store/change/change.ts'
import { type BackupSite, fill, openBackupSite } from './backup-site.ts'

const secret = Buffer.from('12345678901234567890')

async function addFactor(site: Site, now: number, id: string): Promise<readonly string[]> {
  return site.store.transaction(async (db) => {
    const change = createChange(db, { now, author: { accountId: id, name: id, door: 'admin', action: 'x' } })
    await addTotp(change, site.key, id, { secret, step: 0 })
    const account = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return (await settleSecondFactor(change, account)).codes ?? []
  })
}

const guarded = async ({ store }: Site) => {
  const rows = await store.read.selectFrom('account').select(['id', 'second_factor']).orderBy('id').execute()
  return rows.filter(({ second_factor: second }) => second === 1).map(({ id }) => id)
}

/** A code of the present time step, and whether it is taken now. */
const take = (at: BackupSite, site: Site, id: string) =>
  site.store.transaction((db) => takeTotp(db, site.key, id, hotp(secret, totpStep(at.clock.at)), at.clock.at))

const takeRecovery = (at: BackupSite, site: Site, code: string) =>
  site.store.transaction((db) => takeRecoveryCode(db, 'owner', code.replaceAll('-', ''), at.clock.at))

test('attack 122: a restore revives no time step and no recovery code that was used, and no factor that was removed', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const codes = await addFactor(site, at.clock.at, 'owner')
  const { file } = await site.backups.create({ note: null })
  assert.equal(await take(at, site, 'owner'), true)
  assert.equal(await takeRecovery(at, site, codes[0] ?? ''), true)
  await addFactor(site, at.clock.at, 'editor')
  await at.close()
  await at.restore(file)
  const after = await at.open()
  assert.deepEqual(await guarded(after), ['editor', 'owner'], 'one that was added since still guards its account')
  assert.equal(await take(at, after, 'owner'), false)
  assert.equal(await take(at, after, 'editor'), true)
  assert.equal(await takeRecovery(at, after, codes[0] ?? ''), false)
  assert.equal(await takeRecovery(at, after, codes[1] ?? ''), true)
  await after.store.write.deleteFrom('totp').where('account_id', '=', 'owner').execute()
  await after.store.write.deleteFrom('recovery_code').where('account_id', '=', 'owner').execute()
  await after.store.write.updateTable('account').set({ second_factor: 0 }).where('id', '=', 'owner').execute()
  await at.close()
  await at.restore(file)
  const last = await at.open()
  assert.deepEqual(await guarded(last), ['editor'])
  assert.deepEqual(await last.store.read.selectFrom('recovery_code').where('account_id', '=', 'owner').selectAll().execute(), [])
})

test('attack 122: where nothing can be compared, apps of the backup still guard, the codes of now are used, and recovery codes end', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const codes = await addFactor(site, at.clock.at, 'owner')
  await makeRecoveryCodesOf(site, 'editor')
  const { file } = await site.backups.create({ note: null })
  await at.close()
  await rm(at.home, { recursive: true })
  await at.restore(file)
  const after = await at.open()
  assert.deepEqual(await guarded(after), ['owner'])
  assert.equal(await take(at, after, 'owner'), false, 'it may have been used')
  for (const code of codes) assert.equal(await takeRecovery(at, after, code), false)
  at.clock.at += 60_000
  assert.equal(await take(at, after, 'owner'), true)
})

const makeRecoveryCodesOf = (site: Site, id: string) => site.store.transaction((db) => makeRecoveryCodes(db, id))
