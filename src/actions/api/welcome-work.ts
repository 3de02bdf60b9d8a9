// The open work on the site: the counts that welcome shows, each with the call that lists the work.

import { type RawBuilder, sql } from 'kysely'
import { type Caller, includesTier, type Tier, tiers } from '../../identity/caller.ts'
import { imageKinds } from '../../media/taken-kinds.ts'
import type { Db } from '../../store/core/database.ts'
import { isStillMissing } from '../redirects/missing.ts'

interface Work {
  readonly description: string
  /** The tier that a caller needs to get the count. */
  readonly tier: Tier
  /** A query with one row per open item. */
  readonly rows: (caller: Caller) => RawBuilder<unknown>
  readonly call: string
  readonly why: (count: number) => string
}

/** The highest count. */
const most = 1000

const either = (count: number, one: string, several: string): string => (count === 1 ? `1 ${one}` : `${count} ${several}`)

/** In the order in which welcome lists them. */
export const work = {
  staged: {
    description: 'How many entries have changes that wait for `publish`.',
    tier: 'read',
    rows: () => sql`select 1 from entry where staged = 1`,
    call: 'SVC_Content.list {"where": {"staged": true}}',
    why: (count) => `${either(count, 'entry has', 'entries have')} changes that wait to be published`,
  },
  proposals_waiting: {
    description: 'How many proposals wait for an admin to approve or reject them.',
    tier: 'read',
    rows: ({ tier }) => {
      const mine = tiers.filter((one) => includesTier(tier, one))
      return sql`select 1 from proposal where state = 'waiting' and tier in (${sql.join(mine)})`
    },
    call: 'SVC_Proposals.list {"where": {"state": "waiting"}}',
    why: (count) => `${either(count, 'proposal waits', 'proposals wait')} for an admin`,
  },
  media_without_alt: {
    description: 'How many images have no description (`alt`).',
    tier: 'content',
    rows: () => sql`select 1 from media where kind in (${sql.join(imageKinds)}) and alt is null and deleted_at is null`,
    call: 'SVC_Media.list {"where": {"kind": {"has": "image/"}, "alt": {"exists": false}}}',
    why: (count) => `${either(count, 'image has', 'images have')} no description for people who can't see them`,
  },
  missing_paths: {
    description: 'How many paths visitors asked for in vain, and still lead nowhere.',
    tier: 'content',
    rows: () => sql`select 1 from missing_path where ${isStillMissing}`,
    call: 'SVC_Redirects.missing',
    why: (count) => `visitors asked in vain for ${either(count, 'path', 'paths')}`,
  },
} as const satisfies Readonly<Record<string, Work>>

export type WorkCounts = Readonly<Partial<Record<keyof typeof work, number>>>

const kindsOfWork = Object.entries(work) as readonly (readonly [keyof typeof work, Work])[]

/** Counts the open work that concerns a caller, in one query. */
export async function countWork(db: Db, caller: Caller): Promise<WorkCounts> {
  const mine = kindsOfWork.filter(([, { tier }]) => includesTier(caller.tier, tier))
  const counts = mine.map(
    ([name, { rows }]) =>
      sql`select cast(${name} as text) as name, count(*) as waiting from (select 1 from (${rows(caller)}) as one limit ${most}) as counted`,
  )
  const { rows } = await sql<{ name: string; waiting: number | string }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, waiting }) => [name, Number(waiting)]))
}

/** Returns the calls that list the open work, for counts above 0. */
export function workCalls(counts: WorkCounts): readonly { readonly call: string; readonly why: string }[] {
  return kindsOfWork.flatMap(([name, { call, why }]) => {
    const count = counts[name] ?? 0
    return count === 0 ? [] : [{ call, why: why(count) }]
  })
}
