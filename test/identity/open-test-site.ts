// A whole site in this process, without doors: a real home, database, caches and all actions, and a clock that the test moves.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '../../src/actions/call/call.ts'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import { readOptions } from '../../src/actions/call/options.ts'
import { openSite, type Site } from '../../src/app/compose.ts'
import { databaseSettings, usesPostgres } from '../postgres.ts'
import { readConfig } from '../../src/base/config.ts'
import type { Code, FailureDetail } from '../../src/base/failure.ts'
import { callerOfAccount, createAccount } from '../../src/identity/account-store.ts'
import type { Caller, AccountRole, Scope, TokenLimits } from '../../src/identity/caller.ts'
import { areasOf, createChange } from '../../src/store/change/change.ts'
import type { AccountRow } from '../../src/store/core/schema.ts'
import { raiseCounters } from '../../src/store/change/versions.ts'
import { makeMigratedHome, makePostgresHome } from '../migrated-home.ts'

/** What came of a call, looked at by assertions. */
export type Data = any // oxlint-disable-line no-explicit-any -- JSON of many shapes

export interface TestSite extends AsyncDisposable {
  readonly site: Site
  readonly home: string
  readonly clock: { at: number }
  readonly owner: AccountRow
  /** The owner at the command line. */
  readonly admin: Caller
  /** The owner by a token of this scope and these limits, as a door makes it. */
  as(scope: Scope, limits?: TokenLimits): Caller
  account(email: string, role: AccountRole): Promise<AccountRow>
  /** What comes of a call; options such as `dry_run` stand among the input. The owner's, unless told otherwise. */
  run(name: string, input?: Record<string, unknown>, as?: Caller): Promise<Outcome>
  /** The answer of a call that must succeed. */
  ok(name: string, input?: Record<string, unknown>, as?: Caller): Promise<Data>
  /** The failure of one that must fail. */
  fails(name: string, input?: Record<string, unknown>, as?: Caller): Promise<{ code: Code; message: string } & FailureDetail>
  /** Another process on the same home, as far as caches go. */
  other(): Promise<Site>
}

export const start = Date.parse('2026-11-21T09:00:00Z')

/** @param engine SQLite, or PostgreSQL in a run with `TEST_DATABASE=postgres`, unless the test says which */
export async function openTestSite(
  env: Readonly<Record<string, string>> = {},
  engine: 'SQLite' | 'PostgreSQL' = usesPostgres ? 'PostgreSQL' : 'SQLite',
): Promise<TestSite> {
  const home = await mkdtemp(join(tmpdir(), 'postern-test-'))
  const database = engine === 'PostgreSQL' ? await makePostgresHome(home) : undefined
  if (!database) await makeMigratedHome(home)
  const clock = { at: start }
  const settings = await databaseSettings(home)
  const open = () => openSite(readConfig({ ...env, ...settings, POSTERN_HOME: home }), () => undefined, { now: () => clock.at })
  const sites = [await open()]
  const [site] = sites as [Site]
  const account: TestSite['account'] = (email, role) => makeAccount(site, clock.at, email, role)
  const owner = await account('owner@example.org', 'admin')
  const admin = callerOfAccount(owner, 'cli')

  const run: TestSite['run'] = async (name, input = {}, as = admin) => {
    const { dry_run, if_revision, idempotency_key, select, ...given } = input
    const options = readOptions({ dry_run, if_revision, idempotency_key, select })
    return dispatch(site, as, { name, input: given, options }, { origin: 'https://example.org' })
  }
  return {
    site,
    home,
    clock,
    owner,
    admin,
    as: (scope, limits = {}) => ({
      ...callerOfAccount(owner, 'api', '192.0.2.1'),
      tier: scope,
      token: { kind: 'personal', id: `token-${scope}`, name: 'test', scope, expiresAt: null, limits },
    }),
    account,
    run,
    async ok(name, input, as) {
      const outcome = await run(name, input, as)
      if (outcome.ok) return outcome.data.parse()
      throw new Error(`${name}: ${JSON.stringify(outcome.failure)}`, { cause: outcome.failure })
    },
    async fails(name, input, as) {
      const outcome = await run(name, input, as)
      if (!outcome.ok) return outcome.failure.toJSON()
      throw new Error(`${name} succeeded: ${outcome.data.text}`)
    },
    async other() {
      const another = await open()
      sites.push(another)
      return another
    },
    async [Symbol.asyncDispose]() {
      for (const one of sites.toReversed()) await one.close()
      await rm(home, { recursive: true, force: true })
      await database?.[Symbol.asyncDispose]()
    },
  }
}

async function makeAccount({ store }: Site, now: number, email: string, role: AccountRole): Promise<AccountRow> {
  return store.transaction(async (db) => {
    const change = createChange(db, { now, author: { accountId: null, name: 'test', door: 'cli', action: 'test' } })
    const account = await createAccount(change, { email, name: email.split('@')[0] ?? email, role, passwordHash: null })
    await raiseCounters(db, areasOf(change.records))
    return account
  })
}
