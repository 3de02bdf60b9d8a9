// A real site without doors: database, caches, renderer and SVC_Content behind dispatch, with a clock that the test moves.

import type { Outcome } from '../../src/actions/call.ts'
import { dispatch } from '../../src/actions/dispatch.ts'
import type { Services } from '../../src/actions/services.ts'
import { readOptions } from '../../src/actions/options.ts'
import { openSite, type Site } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import type { Code, FailureDetail } from '../../src/failure.ts'
import { anonymous, type Caller, type Scope, type TokenLimits } from '../../src/identity/caller.ts'
import type { ReleaseName } from '../../src/release.ts'
import { openTestFolder } from '../store/open-test-store.ts'

export type Input = Readonly<Record<string, unknown>>

export interface ContentSite extends AsyncDisposable {
  readonly services: Services
  /** UTC milliseconds; starts at 2026-11-21T09:00Z and stands still. */
  readonly clock: { at: number }
  /** Runs a call of SVC_Content, an admin's unless told otherwise; options such as `dry_run` stand among the input. */
  run(action: string, input: Input, as?: Caller): Promise<Outcome>
  /** The answer of one that must succeed. */
  ok(action: string, input: Input, as?: Caller): Promise<any> // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions
  /** The failure of one that must fail. */
  fails(action: string, input: Input, as?: Caller): Promise<FailureDetail & { code: Code; message: string }>
  /** A second process on the same database, as far as caches go. */
  other(): Promise<Services>
}

export const start = Date.parse('2026-11-21T09:00:00Z')
export const nobody = anonymous('api', '127.0.0.1')

/** A caller with a token of this scope. */
export function tokenOf(scope: Scope, limits: TokenLimits = {}): Caller {
  const account = { id: 'account-1', email: 'owner@example.org', name: 'Owner', role: 'admin' as const }
  return {
    tier: scope,
    account,
    token: { kind: 'personal', id: `token-${scope}`, name: 'test', scope, expiresAt: null, limits },
    door: 'api',
    address: '127.0.0.1',
  }
}

export async function openContentSite(
  options: { release?: ReleaseName; settings?: Readonly<Record<string, unknown>> } = {},
): Promise<ContentSite> {
  const folder = await openTestFolder()
  const clock = { at: start }
  const closing: (() => Promise<void>)[] = []
  const open = async (): Promise<Services> => {
    const site = await openServices(folder.path, clock, options)
    closing.push(() => site.close())
    return site
  }
  const services = await open()
  const run: ContentSite['run'] = (action, input, as = tokenOf('admin')) => {
    const { dry_run, if_revision, idempotency_key, select, ...given } = input
    const call = {
      name: action.includes('.') ? action : `SVC_Content.${action}`,
      input: given,
      options: readOptions({ dry_run, if_revision, idempotency_key, select }),
    }
    return dispatch(services, as, call, { origin: 'https://example.org' })
  }
  return {
    services,
    clock,
    run,
    async ok(action, input, as) {
      const outcome = await run(action, input, as)
      if (!outcome.ok) throw new Error(`${action}: ${JSON.stringify(outcome.failure)}`, { cause: outcome.failure })
      return outcome.data.parse()
    },
    async fails(action, input, as) {
      const outcome = await run(action, input, as)
      if (outcome.ok) throw new Error(`${action} succeeded: ${outcome.data.text}`)
      return outcome.failure.toJSON()
    },
    other: open,
    async [Symbol.asyncDispose]() {
      for (const close of closing.toReversed()) await close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** The whole site as it is composed for serving, with a clock of the test's. */
async function openServices(
  folder: string,
  at: { at: number },
  options: { release?: ReleaseName; settings?: Readonly<Record<string, unknown>> },
): Promise<Site> {
  const config = readConfig({ POSTERN_HOME: folder, POSTERN_COMPAT: options.release ?? '1', POSTERN_LOG_LEVEL: 'error' })
  const site = await openSite(config, () => undefined, { now: () => at.at })
  for (const [key, value] of Object.entries(options.settings ?? {})) {
    const row = { key, value: JSON.stringify(value), created_at: 0, updated_at: 0, revision: 1 }
    await site.store.write
      .insertInto('setting')
      .values(row)
      .onConflict((on) => on.doNothing())
      .execute()
  }
  await site.settings.reload()
  return site
}
