// The calls that fix findings. Fixes of one thing by one action are one call, so that it gets one revision.

import type { Db } from '../../store/core/database.ts'
import type { BatchCall } from '../api/batch-plan.ts'
import { escapeReferences } from '../api/batch-references.ts'
import type { Shown } from '../call/action.ts'
import type { Registry } from '../call/registry.ts'
import type { CheckFinding, FreshFinding } from './finding.ts'

/** A call with the findings that it fixes. */
export interface FixCall {
  readonly call: BatchCall
  readonly findings: readonly FreshFinding[]
}

/** Returns the calls that fix these findings, which all have a fix. */
export function fixCalls(registry: Registry, findings: readonly FreshFinding[]): readonly FixCall[] {
  const calls: { name: string; input: Shown; findings: FreshFinding[] }[] = []
  const latest = new Map<string, (typeof calls)[number]>()
  for (const one of findings) {
    const { call: name, arguments: given } = one.fix as NonNullable<CheckFinding['fix']>
    const input = given as Shown
    const before = latest.get(`${name} ${one.id}`)
    const combined = before && combine(registry, name, before.input, input)
    if (before && combined) {
      before.input = combined
      before.findings.push(one)
      continue
    }
    const made = { name, input, findings: [one] }
    calls.push(made)
    latest.set(`${name} ${one.id}`, made)
  }
  return calls.map(({ name, input, findings: fixed }) => ({
    call: { action: name, arguments: escapeReferences(input) as Shown },
    findings: fixed,
  }))
}

function combine(registry: Registry, name: string, earlier: Shown, later: Shown): Shown | undefined {
  const action = registry.find(name)
  return action && action.effect !== 'read' ? action.combine?.(earlier, later) : undefined
}

type Kind = FreshFinding['kind']

/** The present revisions of things by kind and id. Themes without a row of their own have none. */
type Revisions = ReadonlyMap<string, number>

const keyOf = ({ kind, id }: Pick<FreshFinding, 'kind' | 'id'>): string => `${kind} ${id}`

const readers: Readonly<
  Record<Kind, (db: Db, ids: readonly string[]) => Promise<readonly { readonly id: string; readonly revision: number }[]>>
> = {
  entry: (db, ids) => db.selectFrom('entry').select(['id', 'revision']).where('id', 'in', ids).execute(),
  menu: (db, ids) => db.selectFrom('menu').select(['id', 'revision']).where('id', 'in', ids).execute(),
  theme: (db, ids) => db.selectFrom('theme').select(['slug as id', 'revision']).where('slug', 'in', ids).execute(),
  redirect: (db, ids) => db.selectFrom('redirect').select(['id', 'revision']).where('id', 'in', ids).execute(),
}

/** Reads the revisions of the things that findings are about. */
export async function readRevisions(db: Db, findings: readonly FreshFinding[]): Promise<Revisions> {
  const revisions = new Map<string, number>()
  for (const kind of Object.keys(readers) as Kind[]) {
    const ids = [...new Set(findings.filter((one) => one.kind === kind).map(({ id }) => id))]
    if (ids.length === 0) continue
    for (const { id, revision } of await readers[kind](db, ids)) revisions.set(keyOf({ kind, id }), revision)
  }
  return revisions
}

/** True if a thing has not changed since it was checked. */
export const isUnchanged = (revisions: Revisions, one: FreshFinding): boolean => (revisions.get(keyOf(one)) ?? 0) === one.revision
