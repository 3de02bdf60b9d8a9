// SVC_API.welcome: the site, the caller, and the calls to make next. Clients call it first and most often, so its text is cached.

import { type TInteger, type TOptional, Type } from 'typebox'
import { type Caller, limitsOf } from '../../identity/caller.ts'
import { jsonText } from '../../base/json.ts'
import { type Action, action, type Context } from '../call/action.ts'
import { adoptSkills } from '../shared/adopt-files.ts'
import type { ProgramServices, SettingsServices, StoreServices } from '../call/services.ts'
import { nullable } from '../call/write-answer.ts'
import { createFindingCount } from '../content/last-check.ts'
import { countWork, work, workCalls, type WorkCounts } from './welcome-work.ts'
import { callsLeft, CountedText, limitFacts, limitsSchema } from './welcome-limits.ts'
import { closed } from '../../base/schema.ts'

const token = Type.Object({
  kind: Type.Enum(['personal', 'access', 'bridge']),
  id: Type.String(),
  name: Type.String(),
  scope: Type.Enum(['read', 'content', 'admin']),
  expires_at: nullable(Type.String()),
})
const site = Type.Object({
  name: Type.String(),
  tagline: Type.String(),
  address: Type.String(),
  time_zone: Type.String(),
  release: Type.String(),
})
/** The counts of open work. Counts of work that is not the caller's are absent. */
const workProperties = Object.fromEntries(
  Object.entries(work).map(([name, { description }]) => [name, Type.Optional(Type.Integer({ description }))]),
) as { [K in keyof typeof work]: TOptional<TInteger> }
const since = Type.Object({ at: Type.String(), by_others: Type.Integer() })

/** Returns the action. Each registry gets its own action with its own cache. */
export function welcomeAction(): Action {
  const kept: Memory = new Map()
  const countFindings = createFindingCount()
  const answer = (context: Context) => {
    const rate = callsLeft(context.site, context.caller)
    const known = keptWelcome(kept, context)
    return known
      ? known.with(rate?.left)
      : makeWelcome({ kept, countFindings }, context, rate?.limit).then((made) => made.with(rate?.left))
  }
  const run = (context: Context) => {
    const adopting = context.caller.tier === 'any' ? undefined : adoptSkills(context)
    return adopting ? adopting.then(() => answer(context)) : answer(context)
  }
  return action('SVC_API.welcome', { ...declared, run })
}

const declared = {
  title: 'Get to know the site',
  summary: 'Says which site this is, who you are on it, and what to call next.',
  tier: 'any',
  effect: 'read',
  input: closed({}),
  output: Type.Object({
    site,
    you: Type.Object({
      tier: Type.String(),
      token: nullable(token),
      account: nullable(Type.Object({ email: Type.String(), name: Type.String() })),
      limits: limitsSchema,
    }),
    counts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'Entries by status. SVC_Stats.site counts them by type and month, too.',
      }),
    ),
    ...workProperties,
    check_findings: Type.Optional(
      Type.Integer({ description: 'How much the last check of the whole site found. SVC_Content.check looks again.' }),
    ),
    instructions: Type.Optional(nullable(Type.String(), "The owner's instructions to all assistants.")),
    skills: Type.Optional(
      Type.Array(Type.Object({ slug: Type.String(), when: Type.String() }), {
        description: "The owner's instructions for certain occasions. `when` says when to read one.",
      }),
    ),
    changed_since: Type.Optional(nullable(since, 'What others did since the last welcome of this token; null if nothing.')),
    next: Type.Array(Type.Object({ call: Type.String(), why: Type.String() })),
    notices: Type.Array(Type.String()),
  }),
  examples: [{ title: 'First call', input: {} }],
} as const

interface Kept {
  readonly generation: string
  readonly at: number
  readonly texts: Map<string, CountedText>
}

/** The limits of the cache. Usually there are few tokens and few hosts. */
const maxCallers = 1000
const maxOrigins = 16
type Memory = Map<string, Kept>

/** Changes with every change of the site, and with each job that has ended. */
const generationOf = ({ freshness, jobs }: Context['site']): string => `${freshness.generation} ${jobs.ended}`

/** Returns the cached answer. Maintenance can begin and end without a change of the database, so it disables the cache. */
function keptWelcome(kept: Memory, { site, caller, origin }: Context): CountedText | undefined {
  if (site.maintenance.now()) return undefined
  const mine = kept.get(keyOf(caller))
  return mine?.generation === generationOf(site) ? mine.texts.get(origin) : undefined
}

/**
 * Returns the key of the cache. It includes the tier, because the tokens of one grant may differ in scope, and the limits, which a
 * bridge or a plugin gives its callers. An account's calls are counted at some doors only.
 */
function keyOf(caller: Caller): string {
  const { token: shown, account, tier } = caller
  const limits = limitsOf(caller)
  const key = shown && shown.kind !== 'personal' ? `${shown.id} ${tier}` : (shown?.id ?? account?.id ?? tier)
  const ofDoor = shown ? key : `${caller.door} ${key}`
  return limits.length === 0 ? ofDoor : `${ofDoor} ${jsonText(limits)}`
}

interface Making {
  readonly kept: Memory
  readonly countFindings: ReturnType<typeof createFindingCount>
}

async function makeWelcome(
  { kept, countFindings }: Making,
  context: Context,
  perMinute: number | undefined,
): Promise<CountedText> {
  const { site, caller, now, origin } = context
  const generation = generationOf(site)
  const before = kept.get(keyOf(caller))
  const about = caller.tier === 'any' ? undefined : await insideNews(context, before?.at, countFindings)
  const common = {
    site: siteFacts(context),
    you: { ...callerFacts(caller), limits: limitFacts(caller, perMinute) },
    ...about,
    next: nextCalls(caller, about),
    notices: noticesOf(site),
  }
  if (site.maintenance.now()) return new CountedText(jsonText(common))
  // Only the first answer has `changed_since`. The cached text for later calls has null.
  const text = new CountedText(jsonText('changed_since' in common ? { ...common, changed_since: null } : common))
  if (kept.size >= maxCallers) kept.clear()
  const texts =
    before?.generation === generation && before.texts.size < maxOrigins ? before.texts : new Map<string, CountedText>()
  kept.set(keyOf(caller), { generation, at: now, texts: texts.set(origin, text) })
  return new CountedText(jsonText(common))
}

function siteFacts({ site, origin }: Context): Record<string, unknown> {
  const { site_title: name, site_tagline: tagline, time_zone: timeZone } = site.settings.values
  return { name, tagline, address: `${origin}/`, time_zone: timeZone, release: site.release.name }
}

function callerFacts({ tier, token: shown, account }: Caller): Record<string, unknown> {
  return {
    tier: tier === 'any' ? 'anonymous' : tier,
    token: shown && {
      kind: shown.kind,
      id: shown.id,
      name: shown.name,
      scope: shown.scope,
      expires_at: shown.expiresAt === null ? null : new Date(shown.expiresAt).toISOString(),
    },
    account: account && { email: account.email, name: account.name },
  }
}

interface InsideNews extends WorkCounts {
  readonly check_findings?: number
  readonly counts: Readonly<Record<string, number>>
  readonly instructions: string | null
  readonly skills: readonly { slug: string; when: string }[]
  readonly changed_since: { at: string; by_others: number } | null
}

/** The most skills in the answer. SVC_Skills.list has the others. */
const maxSkills = 50

async function insideNews(
  { db, site, caller }: Context,
  welcomedAt: number | undefined,
  countFindings: Making['countFindings'],
): Promise<InsideNews> {
  const rows = await db
    .selectFrom('entry')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  const at = welcomedAt ?? (await lastUse(site, caller))
  const findings = await countFindings(db)
  return {
    counts: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
    ...(await countWork(db, caller)),
    ...(findings !== undefined && { check_findings: findings }),
    instructions: site.settings.values.instructions,
    skills: await db.selectFrom('skill').select(['slug', 'when']).orderBy('slug').limit(maxSkills).execute(),
    changed_since: at === undefined ? null : await othersSince(site, caller, at),
  }
}

async function lastUse(site: StoreServices, caller: Caller): Promise<number | undefined> {
  if (!caller.token) return undefined
  const row = await site.store.read
    .selectFrom('token_use')
    .select('used_at')
    .where('token_id', '=', caller.token.id)
    .executeTakeFirst()
  return row?.used_at
}

async function othersSince(site: StoreServices, caller: Caller, at: number): Promise<{ at: string; by_others: number } | null> {
  const row = await site.store.read
    .selectFrom('activity')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('at', '>', at)
    .where((eb) => eb.or([eb('token_id', 'is', null), eb('token_id', '!=', caller.token?.id ?? '')]))
    .executeTakeFirst()
  const count = row?.count ?? 0
  return count === 0 ? null : { at: new Date(at).toISOString(), by_others: count }
}

function nextCalls({ tier }: Caller, about: InsideNews | undefined): readonly { call: string; why: string }[] {
  const hasSkills = about !== undefined && about.skills.length > 0
  return [
    { call: 'SVC_API.list-actions', why: 'what you may do here' },
    { call: 'SVC_Docs.list', why: 'the documents: how to do it' },
    { call: 'SVC_Content.list', why: 'what the site says' },
    ...(about === undefined ? [] : workCalls(about)),
    ...(about?.check_findings
      ? [{ call: 'SVC_Content.check {"where": {}}', why: `the last check found ${about.check_findings}` }]
      : []),
    ...(hasSkills ? [{ call: 'SVC_Skills.get', why: 'an instruction of the owner, when `skills` says to read it' }] : []),
    ...(tier === 'any'
      ? [{ call: 'SVC_Docs.get {"doc": "tokens-and-tiers"}', why: 'how to get access' }]
      : [{ call: 'SVC_Activity.list', why: 'recent changes, and their ids for undo' }]),
  ]
}

function noticesOf({ release, maintenance }: ProgramServices & SettingsServices): readonly string[] {
  const closed = maintenance.now()
  return [
    release.name !== '1' &&
      `This site shows the behaviour of release ${release.name}, defects included; unset POSTERN_COMPAT for its own.`,
    closed &&
      `Maintenance is on: ${closed.message} Until it ends, only SVC_Settings.maintenance can be called over /mcp/ and /api/.`,
  ].filter((notice) => typeof notice === 'string')
}
