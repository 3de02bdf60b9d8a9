// Which waiting proposal a further call joins, and the calls that become of both. Only the caller's own proposals count. The choice
// is made before the transaction that stores it, and `hasMoved` checks it there.

import type { Expression, SqlBool } from 'kysely'
import { type Caller, nameOf as nameOfCaller } from '../../identity/caller.ts'
import { jsonText } from '../../base/json.ts'
import type { Db } from '../../store/core/database.ts'
import { type BatchCall, maxProposedCalls, nameOf } from '../api/batch-plan.ts'
import { movePlaces, placesIn } from '../api/batch-references.ts'
import type { Shown } from './action.ts'
import { idOf, plainName, type ProposalTouches, readTouches, type Touched } from './proposal-touches.ts'
import type { Registry } from './registry.ts'

/** A waiting proposal of the caller. */
export interface WaitingProposal {
  readonly id: string
  readonly revision: number
  readonly touches: ProposalTouches
}

/** The most proposals that are looked at. A caller may have more, which further calls don't join. */
const maxSeen = 100

/** Returns the caller's newest waiting proposals, the newest first. */
export async function findWaiting(db: Db, caller: Caller): Promise<readonly WaitingProposal[]> {
  const { token, account } = caller
  const rows = await db
    .selectFrom('proposal')
    .select(['id', 'revision', 'touches'])
    .where('state', '=', 'waiting')
    .where((eb): Expression<SqlBool> => {
      if (token) return eb('token_id', '=', token.id)
      const of = account ? eb('account_id', '=', account.id) : eb('account_id', 'is', null)
      return eb.and([eb('token_id', 'is', null), of, eb('by_name', '=', nameOfCaller(caller))])
    })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSeen)
    .execute()
  return rows.map(({ id, revision, touches }) => ({ id, revision, touches: readTouches(touches) }))
}

/** True if a proposal that came or changed since concerns the same objects or calls, or the chosen one is not as it was. */
export function hasMoved(
  now: readonly WaitingProposal[],
  seen: readonly WaitingProposal[],
  { chosen, keys, hash }: { readonly chosen: string | undefined; readonly keys: ReadonlySet<string>; readonly hash: string },
): boolean {
  const known = new Map(seen.map(({ id, revision }) => [id, revision]))
  if (chosen !== undefined && now.find(({ id }) => id === chosen)?.revision !== known.get(chosen)) return true
  return now.some(
    ({ id, revision, touches }) =>
      known.get(id) !== revision &&
      (touches.steps.some((step) => step.hash === hash) || touches.objects.some(({ key }) => keys.has(key))),
  )
}

/** Returns all texts in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []

const targetsOf = ({ arguments: given = {} }: BatchCall): readonly string[] => [given['id'], given['ids']].flatMap(textsIn)

/** True if one of the calls has the id of an object that only exists in this proposal. */
export function namesMade(calls: readonly BatchCall[], { objects }: ProposalTouches): boolean {
  const made = new Set(objects.flatMap((one) => (one.made === undefined ? [] : [idOf(one)])))
  return made.size > 0 && calls.some((call) => textsIn(call.arguments).some((text) => made.has(text)))
}

/** The paths of an object that only exists in a proposal. A term may be named without the slash, as in `category/news`. */
function pathsOfMade({ made, path }: Touched): readonly string[] {
  if (made === undefined || path === undefined) return []
  const plain = plainName(path)
  return plain.includes('/') ? [path, plain] : [path]
}

/**
 * Chooses the proposal that calls join: the newest with an object that they name or change. An object that is there is meant rather
 * than one of the same path or name in a proposal.
 * @param changed the keys of the objects that the calls change by themselves; undefined if they fail by themselves
 */
export function chooseProposal(
  waiting: readonly WaitingProposal[],
  calls: readonly BatchCall[],
  changed: ReadonlySet<string> | undefined,
): WaitingProposal | undefined {
  const texts = new Set(calls.flatMap((call) => textsIn(call.arguments)))
  const targets = new Set(calls.flatMap(targetsOf).map(plainName))
  const isMeant = (one: Touched) =>
    pathsOfMade(one).some((path) => texts.has(path)) || one.names.some((name) => targets.has(name))
  const concerns = changed ? ({ key }: Touched) => changed.has(key) : isMeant
  return waiting.find(({ touches }) => namesMade(calls, touches)) ?? waiting.find(({ touches }) => touches.objects.some(concerns))
}

/** Calls that became of those of a proposal and further ones. */
export interface Joined {
  readonly calls: readonly BatchCall[]
  /** The places of the further calls. */
  readonly places: readonly number[]
}

/** The longest stored calls, in characters of JSON. */
const maxChars = 2 * 1024 * 1024

/**
 * Joins further calls to those of a proposal. A call that the action can combine with the last one about the same object becomes
 * one call with it; the others follow.
 * @param isChecked true if the further calls have succeeded by themselves, so that their `if_revision` holds
 * @returns undefined if they are too many for one proposal
 */
export function joinCalls(
  registry: Registry,
  first: readonly BatchCall[],
  further: readonly BatchCall[],
  { objects, isChecked }: { readonly objects: readonly Touched[]; readonly isChecked: boolean },
): Joined | undefined {
  const calls = [...first]
  const places: number[] = []
  for (const given of further) {
    const call = namedWithin(given, { objects, byPath: !isChecked }, (place) => places[place] ?? place)
    const target = findTarget(call, objects)
    // A revision that was not checked yet is compared when the call runs after the others.
    const isFree = isChecked || call.if_revision === undefined
    const place = isFree ? lastPlace(calls, call, target) : undefined
    const combined = place === undefined ? undefined : combine(registry, calls[place] as BatchCall, call, target)
    if (place !== undefined && combined) {
      calls[place] = combined
      places.push(place)
      continue
    }
    places.push(calls.length)
    const { if_revision: _checked, ...rest } = call
    calls.push(isChecked && target?.made === undefined && target ? rest : call)
  }
  return calls.length > maxProposedCalls || jsonText(calls).length > maxChars ? undefined : { calls, places }
}

/**
 * Returns a call in which references name the new places, and objects that only exist in the proposal are referred to.
 * @param named.byPath true if paths name such objects, too
 */
function namedWithin(
  call: BatchCall,
  { objects, byPath }: { readonly objects: readonly Touched[]; readonly byPath: boolean },
  placeOf: (place: number) => number,
): BatchCall {
  const made = objects.filter((one) => one.made !== undefined)
  const refer = (value: unknown): unknown => {
    if (typeof value === 'string')
      return made.find((one) => value === idOf(one) || (byPath && pathsOfMade(one).includes(value)))?.made ?? value
    if (Array.isArray(value)) return value.map(refer)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, refer(part)]))
  }
  return call.arguments === undefined ? call : { ...call, arguments: refer(movePlaces(call.arguments, placeOf)) as Shown }
}

/** Returns the object of the proposal that a call is about. */
function findTarget({ arguments: given = {} }: BatchCall, objects: readonly Touched[]): Touched | undefined {
  const { id } = given
  return typeof id === 'string' ? objects.find((one) => isAbout(one, id)) : undefined
}

const isAbout = ({ names, made }: Touched, text: string): boolean => text === made || names.includes(plainName(text))

/**
 * Returns the place of the last call about the object of a call, or of the last call of all for a call without an object. Undefined
 * if a later call refers to its result, or the call to a later one.
 */
function lastPlace(calls: readonly BatchCall[], call: BatchCall, target: Touched | undefined): number | undefined {
  if (!target) return targetsOf(call).length === 0 ? calls.length - 1 : undefined
  const place = calls.findLastIndex(
    (one, at) => target.places.includes(at) || targetsOf(one).some((text) => isAbout(target, text)),
  )
  const isUsed = calls.slice(place + 1).some((one) => placesIn(one.arguments).includes(place))
  const isAhead = placesIn(call.arguments).some((one) => one >= place)
  return place < 0 || isUsed || isAhead ? undefined : place
}

/** Combines two calls of one action about one object, or about none. */
function combine(registry: Registry, first: BatchCall, further: BatchCall, target: Touched | undefined): BatchCall | undefined {
  const action = registry.find(nameOf(first))
  if (nameOf(first) !== nameOf(further) || !action || action.effect === 'read') return undefined
  const [earlier = {}, later = {}] = [first.arguments, further.arguments]
  const { id } = earlier
  const isSame = target ? typeof id === 'string' && isAbout(target, id) : targetsOf(first).length === 0
  const input = isSame ? action.combine?.(earlier, later) : undefined
  return input && { ...first, arguments: input }
}

/** Returns the members of a proposal that say who proposed it, from what they were and are: the tighter of both. */
export function joinedRights(earlier: string | null, now: { readonly limits: readonly unknown[] } & Shown): string {
  if (earlier === null) return jsonText(now)
  const before = JSON.parse(earlier) as typeof now
  const texts = new Set([...before.limits, ...now.limits].map((limits) => jsonText(limits)))
  return jsonText({ ...now, limits: [...texts].map((text) => JSON.parse(text) as unknown) })
}
