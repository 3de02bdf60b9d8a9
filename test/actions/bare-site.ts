// A site for dispatch alone: a real database, and the few actions that a test makes up. No doors, caches, tokens or classes of ours.

import { createHash } from 'node:crypto'
import type { Action } from '../../src/actions/call/action.ts'
import type { Around, Outcome } from '../../src/actions/call/call.ts'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import { readOptions } from '../../src/actions/call/options.ts'
import { createRegistry } from '../../src/actions/call/registry.ts'
import type { Services } from '../../src/actions/call/services.ts'
import { readConfig } from '../../src/base/config.ts'
import { builtInTypes } from '../../src/content/types/entry-types.ts'
import type { Code, FailureDetail } from '../../src/base/failure.ts'
import type { Caller, Scope } from '../../src/identity/caller.ts'
import { createJobs } from '../../src/jobs/jobs.ts'
import { createCallRate } from '../../src/identity/token-rate.ts'
import { createLog } from '../../src/base/log.ts'
import { releaseOf } from '../../src/base/release.ts'
import { createMail } from '../../src/mail/mail.ts'
import type { Schema } from '../../src/store/core/schema.ts'
import { makeUsual } from '../store/on-each-database.ts'

type Input = Readonly<Record<string, unknown>>

export interface BareSite extends AsyncDisposable {
  readonly site: Services
  readonly clock: { at: number }
  /** Log lines, as written. */
  readonly lines: string[]
  /** What the caches were told of: records, a commit each. */
  readonly committed: unknown[]
  /** Runs a call; options such as `dry_run` stand among the input. A `content` caller's, unless told otherwise. */
  run(name: string, input?: Input, as?: Caller, around?: Partial<Around>): Promise<Outcome>
  /** The answer of a call that must succeed. */
  ok(name: string, input?: Input, as?: Caller): Promise<any> // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions
  /** The failure of one that must fail. */
  fails(name: string, input?: Input, as?: Caller): Promise<FailureDetail & { code: Code; message: string }>
  /** All rows of a table. */
  rows<T extends keyof Schema>(table: T): Promise<Schema[T][]>
}

/** A caller with a token of its own for each scope and name. */
export function tokenOf(scope: Scope, name = 'test'): Caller {
  const account = { id: 'account-1', email: 'owner@example.org', name: 'Owner', role: 'admin' as const }
  const token = { kind: 'personal' as const, id: `token-${scope}-${name}`, name, scope, expiresAt: null, limits: {} }
  return { tier: scope, account, token, door: 'api', address: '127.0.0.1' }
}

export async function openBareSite(
  actions: readonly Action[],
  { env = {}, told }: { env?: Readonly<Record<string, string>>; told?: () => Promise<void> } = {},
): Promise<BareSite> {
  const database = await makeUsual('tables')
  const store = await database.open()
  const clock = { at: Date.parse('2026-11-21T09:00:00Z') }
  const lines: string[] = []
  const committed: unknown[] = []
  const freshness = {
    generation: 0,
    note: () => undefined,
    async committed(_counters: unknown, records: unknown) {
      committed.push(records)
      await told?.()
    },
  }
  const log = createLog('debug', (line) => void lines.push(line))
  const config = readConfig(env)
  const parts = { config, registry: createRegistry(actions), clock: { now: () => clock.at } }
  const rate = createCallRate(config, parts.clock)
  const jobs = createJobs({ store, clock: parts.clock, log, stopMs: 100 })
  const key = { derive: (purpose: string) => createHash('sha256').update(purpose).digest() }
  const known = { types: { current: builtInTypes }, settings: { values: {} }, release: releaseOf(config.POSTERN_COMPAT) }
  const webhooks = { note: () => false }
  const mail = createMail(async () => false)
  const statistics = { called: () => undefined }
  const site = { ...parts, ...known, store, log, freshness, webhooks, mail, statistics, rate, jobs, key } as unknown as Services
  const run: BareSite['run'] = async (name, input = {}, as = tokenOf('content'), around = {}) => {
    const { dry_run, if_revision, idempotency_key, select, ...given } = input
    const options = readOptions({ dry_run, if_revision, idempotency_key, select })
    return dispatch(site, as, { name, input: given, options }, { origin: 'https://example.org', ...around })
  }
  return {
    site,
    clock,
    lines,
    committed,
    run,
    async ok(name, input, as) {
      const outcome = await run(name, input, as)
      if (!outcome.ok) throw new Error(`${name}: ${JSON.stringify(outcome.failure)}`, { cause: outcome.failure })
      return outcome.data.parse()
    },
    async fails(name, input, as) {
      const outcome = await run(name, input, as)
      if (outcome.ok) throw new Error(`${name} succeeded: ${outcome.data.text}`)
      return outcome.failure.toJSON()
    },
    rows: (table) => store.read.selectFrom(table).selectAll().execute() as never,
    async [Symbol.asyncDispose]() {
      await jobs.stop()
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
