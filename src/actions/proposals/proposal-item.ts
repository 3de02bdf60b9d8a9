// A proposal in the answers of SVC_Proposals, with the checks of its visibility and of its age.

import type { Kysely } from 'kysely'
import { type Static, Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { type Caller, includesTier, type Tier } from '../../identity/caller.ts'
import { formatDateOrNull } from '../../settings/time-zone.ts'
import type { Db } from '../../store/core/database.ts'
import { kinds } from '../../store/change/kinds.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import type { ListSpec } from '../lists/list.ts'
import type { Expected } from '../call/proposing.ts'
import type { ProposedChange } from '../call/proposed-changes.ts'
import { readTouches } from '../call/proposal-touches.ts'
import { stampProperties, stampsOf } from '../call/stamps.ts'
import { cutProperties, nullable } from '../call/write-answer.ts'
import { type BatchCall, nameOf } from '../api/batch-plan.ts'
import { pageItem } from './proposed-pages.ts'

const states = ['waiting', 'approved', 'rejected', 'replaced'] as const

const leanProperties = {
  id: Type.String(),
  title: Type.String(),
  note: nullable(Type.String(), 'What the proposer says about it.'),
  state: Type.Enum([...states]),
  by: Type.String({ description: 'Who proposed it.' }),
  token_name: nullable(Type.String(), 'Name of the token that proposed it.'),
  calls: Type.Integer({ description: 'The number of its calls.' }),
  ended: Type.Boolean({
    description: 'Whether the token, app or account of the proposer has ended. Only a person approves it then, in the admin.',
  }),
  answer: nullable(Type.String(), 'The note of the person who decided.'),
  decided_by: nullable(Type.String()),
  decided_at: nullable(Type.String()),
  replaces: nullable(Type.String(), 'Id of the proposal of which somebody made this one.'),
  ...stampProperties,
}
export const leanItem = Type.Object(leanProperties)

const step = Type.Object({
  action: Type.String(),
  about: nullable(Type.String(), 'The first object that it changes, by its title or path.'),
  changes: Type.Integer({ description: 'The number of objects that it changes.' }),
})
/** A call of a proposal with what it is about. */
export type ProposalStep = Static<typeof step>

export const wholeItem = Type.Object({
  ...leanProperties,
  calls: Type.Array(Type.Unknown(), { description: 'The calls, in order.' }),
  steps: Type.Array(step, { description: 'The calls in order, each with what it is about.' }),
  diff: Type.Array(Type.Unknown(), {
    description: 'The changes that the calls would make now, or that the person who decided was shown.',
  }),
  ...cutProperties,
  replaced_by: nullable(Type.String(), 'Id of the proposal that somebody made of this one.'),
  pages: Type.Optional(
    Type.Array(pageItem, {
      description: 'The entries that the calls change, as pages before and after. Only the admin gets them.',
    }),
  ),
  proposed_diff: nullable(
    Type.Array(Type.Unknown()),
    'The changes that the proposer was shown, where the calls would make others now.',
  ),
  digest: nullable(
    Type.String(),
    'Stands for all of `diff`. SVC_Proposals.approve takes it, and runs nothing else. Null where the calls would fail.',
  ),
  stale: Type.Boolean({
    description: 'Whether something that the calls change has changed since, or they would change something else.',
  }),
  problem: nullable(Type.String(), 'The failure that the calls would end with now.'),
})
export type ProposalItem = Static<typeof leanItem>

export const proposalList: ListSpec<'proposal'> = {
  table: 'proposal',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    title: { column: 'title', kind: 'text' },
    state: { column: 'state', kind: 'choice', choices: states, indexed: true, ordered: ['created_at'] },
    token: { column: 'token_id', kind: 'text', nullable: true, indexed: true, ordered: ['created_at'] },
    by: { column: 'by_name', kind: 'text' },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
  },
  sort: '-created_at',
  search: ['title', 'note', 'by_name'],
}

/** True for own proposals, and for proposals whose calls the caller could make. */
const maySee = ({ tier, account, token }: Caller, row: ProposalRow): boolean =>
  includesTier(tier, row.tier as Tier) ||
  (token !== null && row.token_id === token.id) ||
  (account !== null && row.account_id === account.id)

/** The most waiting proposals that are searched for a title. */
const maxNamed = 200

export async function getProposal({ db, caller }: Pick<Context, 'db' | 'caller'>, id: string): Promise<ProposalRow> {
  const row = await db.selectFrom('proposal').selectAll().where('id', '=', id).executeTakeFirst()
  if (row && maySee(caller, row)) return row
  const waiting = db
    .selectFrom('proposal')
    .selectAll()
    .where('state', '=', 'waiting')
    .orderBy('created_at', 'desc')
    .limit(maxNamed)
  const named = (await waiting.execute()).find((one) => one.title === id && maySee(caller, one))
  if (named) return named
  throw notFound('proposal', id, 'SVC_Proposals.list lists the proposals that you may see.')
}

export const callsOf = ({ calls }: Pick<ProposalRow, 'calls'>): readonly BatchCall[] => JSON.parse(calls) as readonly BatchCall[]
/** Returns the calls of a proposal in order, each with what it is about, from what they touched when they were tried. */
export function stepsOf({ calls, touches }: Pick<ProposalRow, 'calls' | 'touches'>): ProposalStep[] {
  const { objects } = readTouches(touches)
  return (JSON.parse(calls) as readonly BatchCall[]).map((call, place) => {
    const changed = objects.filter(({ places }) => places.includes(place))
    const about = changed[0]?.title ?? changed[0]?.path ?? call.arguments?.['id']
    return { action: nameOf(call), about: typeof about === 'string' ? about : null, changes: changed.length }
  })
}
export const expectsOf = ({ expects }: ProposalRow): readonly Expected[] => JSON.parse(expects) as readonly Expected[]
/** Returns the changes of the calls when they were proposed; undefined for a proposal of an earlier release. */
export const changesOf = ({ changes }: ProposalRow): readonly ProposedChange[] | undefined =>
  changes === null ? undefined : (JSON.parse(changes) as readonly ProposedChange[])

export const leanOf = (row: ProposalRow, ended = false): ProposalItem => ({
  id: row.id,
  title: row.title,
  note: row.note,
  state: row.state as ProposalItem['state'],
  by: row.by_name,
  token_name: row.token_name,
  calls: callsOf(row).length,
  ended,
  answer: row.answer,
  decided_by: row.decided_by,
  decided_at: formatDateOrNull(row.decided_at),
  replaces: row.replaces,
  ...stampsOf(row),
})

/** An object that changed after the proposal. `now` is null for a deleted one. */
type Moved = Expected & { readonly now: number | null }

/** The most ids in a query. */
const maxIds = 500

/** Returns the objects that changed after the proposal, with both revisions. */
export async function movedSince(db: Db, expected: readonly Expected[]): Promise<readonly Moved[]> {
  const now = new Map<string, number>()
  for (const kind of new Set(expected.map((one) => one.kind))) {
    const { table, key } = kinds[kind]
    const ofKind = expected.filter((one) => one.kind === kind)
    for (let at = 0; at < ofKind.length; at += maxIds) {
      const ids = ofKind.slice(at, at + maxIds).map(({ id }) => id)
      // Kysely can't follow a table name that is a type variable, and the tables differ by kind.
      const tables = db as unknown as Kysely<Record<string, Record<string, string | number | null>>>
      const rows = await tables.selectFrom(table).select([key, 'revision']).where(key, 'in', ids).execute()
      for (const row of rows) now.set(`${kind} ${row[key]}`, Number(row['revision']))
    }
  }
  return expected
    .map((one) => ({ ...one, now: now.get(`${one.kind} ${one.id}`) ?? null }))
    .filter((one) => one.now !== one.revision)
}

export async function countWaiting(db: Db): Promise<number> {
  const counted = db
    .selectFrom('proposal')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'waiting')
  return (await counted.executeTakeFirstOrThrow()).count
}
