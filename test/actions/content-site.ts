// A whole site in this process as the tests of SVC_Content want it: calls by their action alone, from a token unless told otherwise.

import type { Outcome } from '../../src/actions/call/call.ts'
import type { Services } from '../../src/actions/call/services.ts'
import type { Site } from '../../src/app/compose.ts'
import type { Code, FailureDetail } from '../../src/base/failure.ts'
import { anonymous, type Caller, type Scope, type TokenLimits } from '../../src/identity/caller.ts'
import type { ReleaseName } from '../../src/base/release.ts'
import { openTestSite } from '../identity/open-test-site.ts'

export { start } from '../identity/open-test-site.ts'

export type Input = Record<string, unknown>

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

export async function openContentSite({
  release = '1',
  settings = {},
}: { release?: ReleaseName; settings?: Readonly<Record<string, unknown>> } = {}): Promise<ContentSite> {
  const on = await openTestSite({ POSTERN_COMPAT: release })
  await putSettings(on.site, settings)
  const named = (action: string): string => (action.includes('.') ? action : `SVC_Content.${action}`)
  const admin = tokenOf('admin')
  return {
    services: on.site,
    clock: on.clock,
    run: (action, input, as = admin) => on.run(named(action), input, as),
    ok: (action, input, as = admin) => on.ok(named(action), input, as),
    fails: (action, input, as = admin) => on.fails(named(action), input, as),
    other: () => on.other(),
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  }
}

/** Settings as they may stand in a database, without what an action would say of them. */
async function putSettings({ store, settings }: Site, values: Readonly<Record<string, unknown>>): Promise<void> {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
  if (rows.length === 0) return
  const filled = rows.map((row) => ({ ...row, created_at: 0, updated_at: 0, revision: 1 }))
  await store.write.insertInto('setting').values(filled).execute()
  await settings.reload()
}
