// Writes redirects to the database. `redirect-ways.ts` follows them. An entry at a path wins over a redirect from that path.

import { Failure } from '../../base/failure.ts'
import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { RedirectRow } from '../../store/core/schema.ts'
import { findRootFile } from '../root-files/root-files.ts'
import { groupQueryRules, nextByQuery, splitQuery, withQuery } from './query-rules.ts'
import { isInternal, maxHops, type RedirectRule, sourcesFor, targetOf } from './redirect-rules.ts'
import { findLive } from './redirect-ways.ts'

const maxRedirects = 10_000

export interface RedirectDraft extends RedirectRule {
  /** Absent to keep the note. */
  readonly note?: string | null | undefined
  /** The redirect to replace, if it has another source. */
  readonly row?: RedirectRow
  /** The field of the input to name if the rule is refused. */
  readonly field?: string
}

/** The origin of a redirect: written by a person, or created when a term was renamed or merged. */
export type RedirectOrigin = 'hand' | 'term'

export interface WrittenRedirect {
  readonly row: RedirectRow
  readonly changed: readonly string[]
  readonly created: boolean
}

/**
 * Writes rules; each replaces one with the same source. Chains are joined: if the target of a rule redirects, the rule gets the
 * final target.
 * @throws Failure `refused` for a rule from a public page, a redirect loop, and more rules than a site has
 */
export async function writeRedirects(
  change: Change,
  drafts: readonly RedirectDraft[],
  origin: RedirectOrigin,
): Promise<readonly WrittenRedirect[]> {
  const { db } = change
  const rows = await db.selectFrom('redirect').selectAll().execute()
  const bySource = new Map(rows.map((row) => [row.source, row]))
  const rules = new Map<string, RedirectRule>(bySource)
  for (const { row } of drafts) if (row) rules.delete(row.source)
  for (const draft of drafts) rules.set(draft.source, draft)
  if (rules.size > maxRedirects)
    throw new Failure('refused', `A site has at most ${maxRedirects.toLocaleString('en')} redirects.`, {
      rule: 'number of redirects',
      hint: 'One redirect from `/old/*` replaces those of all pages below a path.',
    })
  await checkNotLive(db, drafts, change.now)
  const joined = await joinRules(db, rules, drafts, change.now)
  const written: WrittenRedirect[] = []
  for (const { source, status, note, row } of drafts) {
    const before = row ?? bySource.get(source)
    const target = joined.get(source) ?? null
    const patch = { source, target, status: target === null ? 410 : status === 410 ? 301 : status }
    const changed = before
      ? await change.update('redirect', before, { ...patch, ...(note !== undefined && { note }), origin })
      : {
          row: await change.insert('redirect', { id: newId(change.now), ...patch, note: note ?? null, origin }),
          changed: ['source', 'target', 'status'],
        }
    written.push({ ...changed, created: before === undefined })
  }
  const given = new Set(drafts.flatMap(({ source, row }) => [source, ...(row ? [row.source] : [])]))
  for (const row of rows) {
    const target = joined.get(row.source)
    if (!given.has(row.source) && target !== undefined && target !== row.target) await change.update('redirect', row, { target })
  }
  return written
}

/** Redirects a former address of the site to the present one, and removes redirects from the present one. */
export async function addMovedRedirect(change: Change, from: string, to: string): Promise<void> {
  const away = await change.db.selectFrom('redirect').selectAll().where('source', '=', to).executeTakeFirst()
  if (away) await change.remove('redirect', away)
  if (await findLive(change.db, [from], change.now)) return
  await writeRedirects(change, [{ source: from, target: to, status: 301 }], 'term')
}

async function checkNotLive(db: Db, drafts: readonly RedirectDraft[], now: number): Promise<void> {
  const live = await findLive(
    db,
    drafts.map(({ source }) => source),
    now,
  )
  if (!live) return checkNoFile(db, drafts)
  const field = drafts.find(({ source }) => source === live.path)?.field ?? 'from'
  throw new Failure('refused', `At ${live.path} is the entry ${JSON.stringify(live.title)}, which wins over a redirect.`, {
    field,
    rule: 'live path',
    by: live,
    hint: 'Move, unpublish or delete the entry first. An entry that moves redirects by itself.',
  })
}

/** @throws Failure `refused` for a rule from a root file, which wins over it */
async function checkNoFile(db: Db, drafts: readonly RedirectDraft[]): Promise<void> {
  for (const { source, field = 'from' } of drafts)
    if (await findRootFile(db, source))
      throw new Failure('refused', `At ${source} is a root file, which wins over a redirect.`, {
        field,
        rule: 'live path',
        hint: 'SVC_Site.remove-file deletes it.',
      })
}

/** The targets after chains were joined, by source. Rules with `/*` keep theirs, because the final target may differ by path. */
async function joinRules(
  db: Db,
  rules: ReadonlyMap<string, RedirectRule>,
  drafts: readonly RedirectDraft[],
  now: number,
): Promise<ReadonlyMap<string, string | null>> {
  const live = new Map<string, boolean>()
  const isLive = async (path: string): Promise<boolean> => {
    const known = live.get(path) ?? (await findLive(db, [path], now)) !== undefined
    live.set(path, known)
    return known
  }
  const queryRules = groupQueryRules(rules.values())
  /** The next target; undefined at the end of the chain. */
  const nextOf = async (target: string): Promise<string | null | undefined> => {
    const byQuery = nextByQuery(queryRules, target)
    if (byQuery !== undefined) return byQuery
    const { path, query = '' } = splitQuery(target)
    const next = sourcesFor(path).flatMap((source) => rules.get(source) ?? [])[0]
    const to = next && !(await isLive(path)) ? targetOf(next, path) : undefined
    return to && withQuery(to, query)
  }
  const joined = new Map<string, string | null>()
  for (const rule of rules.values()) {
    let { target } = rule
    const passed = new Set([rule.source])
    while (target !== null && isInternal(target)) {
      const next = await nextOf(target)
      if (next === undefined) break
      if (passed.has(target) || passed.size > 2 * maxHops) throw circle(rule, target, drafts)
      passed.add(target)
      target = next
    }
    // A rule may also lead directly back to its own source.
    if (target !== null && passed.size === 1 && target === rule.source) throw circle(rule, target, drafts)
    joined.set(rule.source, rule.source.endsWith('/*') ? rule.target : target)
  }
  return joined
}

function circle({ source, target }: RedirectRule, met: string, drafts: readonly RedirectDraft[]): Failure {
  const draft = drafts.find((one) => one.source === source) ?? drafts[0]
  return new Failure('refused', `The redirect from ${source} to ${target} would lead in a circle, by ${met}.`, {
    field: draft?.field?.replace(/from$/, 'to') ?? 'to',
    rule: 'no circle of redirects',
  })
}
