// A finding of SVC_Content.check, in answers and within the program.

import { type Static, Type } from 'typebox'
import { checkRules } from '../../content/entries/check-entry.ts'
import type { Context } from '../call/action.ts'
import { isVisible } from '../call/registry.ts'
import { nullable } from '../call/write-answer.ts'
import { suggestPaths } from '../redirects/suggest-path.ts'

export const finding = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['entry', 'menu', 'theme', 'redirect']),
  title: Type.String(),
  path: nullable(Type.String()),
  rule: Type.Enum([...checkRules]),
  place: Type.String(),
  message: Type.String(),
  nearest: Type.Optional(Type.String({ description: 'A similar page or heading, where a link leads nowhere.' })),
  fix: Type.Union([Type.Object({ call: Type.String(), arguments: Type.Unknown() }), Type.Null()], {
    description: 'The call that fixes it, which SVC_Content.fix makes; null where a person decides how.',
  }),
})
export type CheckFinding = Static<typeof finding>

/** A finding with the revision of the thing that was checked. */
export type FreshFinding = CheckFinding & { readonly revision: number }

/** A finding whose path may have a similar page. */
export type LostFinding = FreshFinding & { readonly lost?: string }

/** Names a similar public page for each path at which nothing is. */
export async function withNearest({ db, now }: Context, findings: readonly LostFinding[]): Promise<readonly FreshFinding[]> {
  const lost = [...new Set(findings.flatMap(({ lost: path }) => path ?? []))]
  const near = await suggestPaths(db, lost, now)
  return findings.map(({ lost: path, ...one }) => {
    const nearest = path === undefined ? undefined : near.get(path)
    return nearest === undefined ? one : { ...one, nearest }
  })
}

/** Returns a finding for an answer. It has no call that the caller may not see. */
export function shownFinding({ site, caller }: Context, { revision: _revision, ...one }: FreshFinding): CheckFinding {
  const action = one.fix && site.registry.find(one.fix.call)
  return action && isVisible(action, caller) ? one : { ...one, fix: null }
}
