// Which backups are sealed, with what, and what of a site never gets into one.

import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSealedFile } from '../../src/backup/archive-source.ts'
import { readManifest } from '../../src/backup/unpack.ts'
import { type Config, readConfig } from '../../src/base/config.ts'
import { hashSecret } from '../../src/identity/token-store.ts'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import type { Caller, TokenLimits } from '../../src/identity/caller.ts'
import { openSite, type Site } from '../../src/app/compose.ts'
import { type BackupSite, failsWith, fill, openBackupSite, operator } from '../backup/backup-site.ts'

const passphrase = 'correct horse battery staple'
const far = 99_999_999_999_999

/** A site whose passphrase lies in a file of these words. */
async function withPassphrase<T>(
  at: BackupSite,
  words: string,
  run: (site: Site, file: string) => Promise<T>,
  file = join(at.folder, 'passphrase'),
): Promise<T> {
  await writeFile(file, words, { mode: 0o600 })
  const config: Config = { ...at.config, POSTERN_BACKUP_PASSPHRASE_FILE: file }
  const site = await openSite(config, () => undefined, at.clock)
  try {
    return await run(site, file)
  } finally {
    await site.close()
  }
}

test('attack 141: no session, code, token of an app, link or answered consent is in a backup, in a row or in a free page', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  await fill(site)
  const marks = ['session', 'code', 'access', 'refresh', 'link', 'consent', 'bucket'].map((name) => hashSecret(`${name} of mine`))
  const [session = '', code = '', access = '', refresh = '', link = '', consent = '', bucket = ''] = marks
  await site.store.transaction(async (db) => {
    const of = { account_id: 'owner', epoch: 0 }
    await db
      .insertInto('session')
      .values({ ...of, id: session, created_at: 1, seen_at: 1, authenticated_at: 1, ended_at: null, address: null, agent: null })
      .execute()
    const asked = {
      client_hash: 'c',
      redirect_uri: 'http://localhost/',
      code_challenge: 'x',
      scope: 'admin',
      limits: '{}',
      grant_id: null,
    }
    await db
      .insertInto('auth_code')
      .values({ ...of, ...asked, hash: code, expires_at: far, used_at: null })
      .execute()
    await db.insertInto('access_token').values({ hash: access, grant_id: 'stays', scope: 'admin', expires_at: far }).execute()
    await db.insertInto('refresh_token').values({ hash: refresh, grant_id: 'stays', used_at: null }).execute()
    await db
      .insertInto('one_time_link')
      .values({ ...of, hash: link, expires_at: far, used_at: null })
      .execute()
    await db.insertInto('consent_answer').values({ id: consent, expires_at: far }).execute()
    await db.insertInto('sign_in_attempt').values({ bucket, count: 1, ends_at: far }).execute()
  })
  const row = await site.backups.create({ note: null })
  const bytes = await readFile(site.backups.pathOf(row))
  assert.deepEqual(
    marks.filter((mark) => bytes.includes(mark)),
    [],
  )
  const { rows } = await readManifest(site.backups.pathOf(row))
  const empty = [
    'session',
    'auth_code',
    'access_token',
    'refresh_token',
    'one_time_link',
    'consent_answer',
    'sign_in_attempt',
    'backup',
  ]
  assert.deepEqual(
    empty.map((table) => rows[table]),
    empty.map(() => 0),
  )
  assert.equal(rows['token'], 3)
})

test('attack 141: with a passphrase every backup is sealed with it, tried, listed, and restored by it alone', async () => {
  await using at = await openBackupSite()
  await fill(await at.open())
  await at.put('user-content/uploads/secret.txt', 'words that nobody may read')
  await at.close()
  const row = await withPassphrase(at, `${passphrase}\n`, (site) => site.backups.create({ note: 'a note of mine' }))
  assert.match(row.file, /^postern-20261121T090000Z-[0-9a-z]{6}\.tar\.sealed$/)
  assert.deepEqual([row.error, row.verified_at], [null, at.clock.at])
  const path = join(at.backups, row.file)
  assert.equal(await isSealedFile(path), true)
  const bytes = await readFile(path)
  for (const words of ['words that nobody', 'a note of mine', 'SQLite format', 'manifest', 'owner@example.org', passphrase])
    assert.ok(!bytes.includes(words), words)
  await assert.rejects(at.restore(row.file), failsWith('refused', /^This backup is sealed\. Give the passphrase/))
  const wrong = at.restore(row.file, { passphrase: async () => 'not the right one' })
  await assert.rejects(wrong, failsWith('refused', /^This passphrase does not open the backup/))
  await at.put('user-content/uploads/secret.txt', 'later')
  const { saved } = await at.restore(row.file, { passphrase: async () => passphrase })
  assert.equal(await readFile(join(at.home, 'user-content/uploads/secret.txt'), 'utf8'), 'words that nobody may read')
  assert.equal(await isSealedFile(join(at.backups, saved?.file ?? '')), false)
})

test('a wrong passphrase says nothing against a backup, and one of its own opens it', async () => {
  await using at = await openBackupSite()
  await withPassphrase(at, passphrase, async (site) => {
    const own = await site.backups.create({ note: null, passphrase: 'one of its own, once' })
    await assert.rejects(site.backups.verify(own), failsWith('refused', /does not open the backup/))
    const noted = await site.store.read.selectFrom('backup').selectAll().where('id', '=', own.id).executeTakeFirst()
    assert.deepEqual([noted?.error, noted?.verified_at], [null, at.clock.at])
    await site.backups.verify(own, { passphrase: 'one of its own, once' })
    // Its row was lost: nobody can say what it is, but it stays.
    await site.store.write.deleteFrom('backup').execute()
    const next = await site.backups.create({ note: null })
    assert.deepEqual(await at.backupNames(), [own.file, next.file].sort())
  })
})

const badFiles: readonly {
  rule: string
  words: string
  spoil?: (path: string) => Promise<unknown>
  code: string
  says: RegExp
}[] = [
  {
    rule: 'is too short',
    words: 'short\n',
    code: 'invalid',
    says: /^The passphrase in .* must be one line of 12 to 1024 bytes\.$/,
  },
  { rule: 'is too long', words: 'x'.repeat(1025), code: 'invalid', says: /must be one line of 12 to 1024 bytes/ },
  { rule: 'has two lines', words: 'one line here\nand another', code: 'invalid', says: /must be one line/ },
  {
    rule: 'is open to everybody',
    words: passphrase,
    spoil: (path) => chmod(path, 0o644),
    code: 'refused',
    says: /^Everybody on this machine/,
  },
]
for (const { rule, words, spoil, code, says } of badFiles) {
  test(`where the passphrase of the site ${rule}, no backup is made without it`, async () => {
    await using at = await openBackupSite()
    await withPassphrase(at, words, async (site, file) => {
      await spoil?.(file)
      await assert.rejects(site.backups.create({ note: null }), failsWith(code, says))
      assert.deepEqual(await at.backupNames(), [])
    })
  })
}

test('a passphrase that is not there, or lies where a backup would hold it, is refused', async () => {
  await using at = await openBackupSite()
  const missing: Config = { ...at.config, POSTERN_BACKUP_PASSPHRASE_FILE: join(at.folder, 'nowhere') }
  const site = await openSite(missing, () => undefined, at.clock)
  await assert.rejects(site.backups.create({ note: null }), failsWith('unavailable', /nowhere can't be read \(ENOENT\)/))
  await site.close()
  await at.put('user-content/uploads/passphrase', passphrase)
  for (const file of ['home/user-content/uploads/passphrase', 'home/data/passphrase.key']) {
    const create = withPassphrase(at, passphrase, (one) => one.backups.create({ note: null }), join(at.folder, file))
    await assert.rejects(create, failsWith('refused', /lies in .*\/home, beside what it is to keep closed/))
  }
  await symlink(join(at.home, 'data/passphrase.key'), join(at.folder, 'link'))
  const create = withPassphrase(at, passphrase, (one) => one.backups.create({ note: null }), join(at.folder, 'link'))
  await assert.rejects(create, failsWith('refused', /lies in .*\/home/))
})

test('attack 141: what is not sealed is written nowhere but into the folder of backups, which no web server serves', async () => {
  await using at = await openBackupSite()
  const site = await at.open()
  const out = join(at.folder, 'stick', 'away.tar')
  await mkdir(join(at.folder, 'stick'))
  await assert.rejects(
    site.backups.create({ note: null, out }),
    failsWith('refused', /not sealed stays in the folder of backups/),
  )
  await site.backups.create({ note: null, out, passphrase })
  assert.equal(await isSealedFile(out), true)
  await at.close()
  const served: Config = { ...at.config, POSTERN_BACKUPS: join(at.home, 'user-content/uploads/backups') }
  const wrong = await openSite(served, () => undefined, at.clock)
  await assert.rejects(
    wrong.backups.create({ note: null }),
    failsWith('refused', /lies in user-content\/, which a web server may serve/),
  )
  await wrong.close()
})

test('systemd’s credential is the passphrase where no file is named, and a file that is named comes first', async () => {
  await using at = await openBackupSite()
  const folder = join(at.folder, 'credentials')
  await mkdir(folder)
  const read = (env: Record<string, string>) => readConfig(env).POSTERN_BACKUP_PASSPHRASE_FILE
  assert.equal(read({ CREDENTIALS_DIRECTORY: folder }), undefined)
  await writeFile(join(folder, 'postern-backup-passphrase'), passphrase)
  assert.equal(read({ CREDENTIALS_DIRECTORY: folder }), join(folder, 'postern-backup-passphrase'))
  assert.equal(read({ CREDENTIALS_DIRECTORY: folder, POSTERN_BACKUP_PASSPHRASE_FILE: '/else' }), '/else')
})

/** An admin's token with these limits. */
const tokenWith = (limits: TokenLimits): Caller => ({
  ...operator,
  door: 'api',
  token: { kind: 'personal', id: 'limited', name: 'limited', scope: 'admin', expiresAt: null, limits },
})

const limited: readonly TokenLimits[] = [
  { classes: ['SVC_Backup'] },
  { addresses: ['127.0.0.1'] },
  { per_minute: 10 },
  { types: ['page'] },
]

test('attack 141: a passphrase that a caller names is the owner’s alone to name, and is kept nowhere', async () => {
  await using at = await openBackupSite()
  await withPassphrase(at, passphrase, async (site) => {
    const call = (caller: Caller, name: string, input: Record<string, unknown>) =>
      dispatch(site, caller, { name, input, options: {} }, { origin: 'http://localhost' })
    const own = 'one that is named in a call'
    const made = await call(operator, 'SVC_Backup.create', { passphrase: own, note: 'named' })
    assert.ok(made.ok)
    for (const limits of limited)
      for (const name of ['SVC_Backup.create', 'SVC_Backup.verify']) {
        const input = name.endsWith('create') ? { passphrase: own } : { id: 'latest', passphrase: own }
        const outcome = await call(tokenWith(limits), name, input)
        if (outcome.ok) assert.fail(`${name} with ${JSON.stringify(limits)}`)
        // Another limit may hide the action as a whole.
        assert.ok(['refused', 'unknown_action'].includes(outcome.failure.code), outcome.failure.message)
        if (limits.classes) assert.match(outcome.failure.message, /^Your token is limited in classes, which refuses SVC_Backup\./)
      }
    assert.equal((await at.backupNames()).length, 1)
    assert.ok((await call(operator, 'SVC_Backup.verify', { id: 'latest', passphrase: own })).ok)
    const short = await call(operator, 'SVC_Backup.create', { passphrase: 'too short' })
    assert.ok(!short.ok && !short.failure.message.includes('too short'))
    const stored = JSON.stringify([
      await site.store.read.selectFrom('activity').selectAll().execute(),
      await site.store.read.selectFrom('backup').selectAll().execute(),
      await site.store.read.selectFrom('idempotency').selectAll().execute(),
      await site.store.read.selectFrom('job').selectAll().execute(),
    ])
    assert.ok(stored.includes('named') && !stored.includes(own))
  })
})
