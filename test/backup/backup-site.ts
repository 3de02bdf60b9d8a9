// A site with something in it, opened in this process: a home, a folder of backups, entries, files of every saved folder. All gone at the end.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { type Restored, restore, type RestoreOrder } from '../../src/backup/restore.ts'
import { createTrySite, databaseSettingsOf, openSite, type Site } from '../../src/app/compose.ts'
import { type Config, readConfig } from '../../src/base/config.ts'
import { Failure } from '../../src/base/failure.ts'
import { noSecondFactor } from '../../src/identity/account-store.ts'
import type { Caller } from '../../src/identity/caller.ts'
import { keepFolded } from '../../src/store/search/folded-entries.ts'
import { makeMigratedHome } from '../migrated-home.ts'
import { quiet } from '../store/open-test-store.ts'

export const operator: Caller = { tier: 'admin', account: null, token: null, door: 'cli', address: '' }

export interface BackupSite extends AsyncDisposable {
  readonly folder: string
  readonly home: string
  readonly backups: string
  readonly config: Config
  readonly clock: { at: number; now(): number }
  /** Opens the site; a second call answers the open one. */
  open(): Promise<Site>
  close(): Promise<void>
  /** Restores a file of the folder of backups, or of a path. */
  restore(file: string, more?: Partial<RestoreOrder>): Promise<Restored>
  /** Puts a file below the home. */
  put(path: string, text: string | Uint8Array): Promise<void>
  /** All files below `user-content/` but logs, with what is in them. */
  files(): Promise<Record<string, string>>
  /** Names of the files in the folder of backups, without the lock. */
  backupNames(): Promise<readonly string[]>
}

/** Times are those of the test's own clock. @param url the address of a PostgreSQL database; left out for the file in the home */
export async function openBackupSite(url?: string): Promise<BackupSite> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-backup-'))
  const [home, backups] = [join(folder, 'home'), join(folder, 'backups')]
  const config = readConfig({ POSTERN_HOME: home, POSTERN_BACKUPS: backups, POSTERN_DATABASE_URL: url })
  const clock = { at: Date.parse('2026-11-21T09:00:00Z'), now: () => clock.at }
  let opened: Site | undefined
  const close = async () => {
    await opened?.close()
    opened = undefined
  }
  const put = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  return {
    folder,
    home,
    backups,
    config,
    clock,
    put,
    close,
    async open() {
      if (url === undefined && !existsSync(join(home, 'data'))) await makeMigratedHome(home)
      opened ??= await openSite(config, () => undefined, clock)
      return opened
    },
    restore: (file, more = {}) =>
      restore({
        home,
        database: databaseSettingsOf(config),
        folder: backups,
        file: file.includes('/') ? file : join(backups, file),
        save: true,
        keepTokens: false,
        otherSite: false,
        passphrase: async () => undefined,
        caller: operator,
        clock,
        log: quiet,
        trySite: createTrySite(config, clock),
        ...more,
      }),
    files: () => filesBelow(join(home, 'user-content')),
    backupNames: async () => (await readdir(backups)).filter((name) => name !== '.lock').sort(),
    async [Symbol.asyncDispose]() {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const kept = paths.filter((path) => !path.startsWith(join(folder, 'logs'))).sort()
  return Object.fromEntries(await Promise.all(kept.map(async (path) => [path, (await readFile(path)).toString('hex')] as const)))
}

/** Fills a site with entries, an account, and a row of each kind of credential that is good. */
export async function fill(site: Site, count = 20): Promise<void> {
  const now = site.clock.now()
  const times = { created_at: now, updated_at: now, revision: 1 }
  const page = {
    type: 'page',
    excerpt: null,
    status: 'published',
    published_at: now,
    unpublish_at: null,
    author_id: null,
    parent_id: null,
    seo: '{}',
    fields: '{}',
    terms: '[]',
    locale: null,
    staged: 0,
    live_revision: null,
    ...times,
  }
  await site.store.transaction(async (db) => {
    for (let at = 0; at < count; at++) {
      const named = { id: `entry-${at}`, title: `Page ${at}`, slug: `page-${at}`, path: `/page-${at}` }
      const row = { ...page, ...named, body: `Körper ${at}`, position: at }
      await db.insertInto('entry').values(row).execute()
      keepFolded(db, row, true)
    }
    for (const name of ['owner', 'editor'])
      await db
        .insertInto('account')
        .values({
          id: name,
          email: `${name}@example.org`,
          name,
          role: 'admin',
          password_hash: 'one',
          public: 0,
          disabled: 0,
          epoch: 0,
          enter_breaks: 1,
          proposal_mails: 'hourly',
          ...noSecondFactor,
          ...times,
        })
        .execute()
    const far = now + 30 * 86_400_000
    const grant = {
      client_hash: 'c',
      client: 'Claude',
      name: 'Claude',
      host: 'localhost',
      scope: 'admin',
      limits: '{}',
      epoch: 0,
    }
    const code = {
      account_id: 'owner',
      client_hash: 'c',
      redirect_uri: 'http://localhost/',
      code_challenge: 'x',
      scope: 'admin',
      limits: '{}',
      epoch: 0,
    }
    for (const id of ['stays', 'ends', 'goes']) {
      const token = { account_id: 'owner', hash: id, name: id, scope: 'admin', limits: '{}', expires_at: null, revoked_at: null }
      await db
        .insertInto('token')
        .values({ id, ...token, ...times })
        .execute()
      await db
        .insertInto('app_grant')
        .values({ id, account_id: 'owner', ...grant, expires_at: far, revoked_at: null, ...times })
        .execute()
      await db
        .insertInto('auth_code')
        .values({ hash: id, ...code, expires_at: far, used_at: null, grant_id: null })
        .execute()
      await db.insertInto('access_token').values({ hash: id, grant_id: 'stays', scope: 'admin', expires_at: far }).execute()
      await db.insertInto('refresh_token').values({ hash: id, grant_id: 'stays', used_at: null }).execute()
      const session = {
        account_id: 'owner',
        epoch: 0,
        created_at: now,
        seen_at: now,
        authenticated_at: now,
        ended_at: null,
        address: null,
        agent: null,
      }
      await db
        .insertInto('session')
        .values({ id, ...session })
        .execute()
      await db
        .insertInto('one_time_link')
        .values({ hash: id, account_id: 'owner', epoch: 0, expires_at: far, used_at: null })
        .execute()
    }
    await sql`insert into version (area, counter) values ('content', 1)`.execute(db)
  })
}

/** For `assert.rejects`: a failure of this code, in these words. */
export const failsWith =
  (code: string, words: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, words)
    return true
  }
