// The objects that the calls of a proposal change, and those that only exist in it, with the names by which their proposer may call
// them. A further call about one of them joins the proposal (`join-proposal.ts`).

import { createHash } from 'node:crypto'
import { canonical } from '../../base/json.ts'
import type { RowChange } from '../../store/change/change.ts'
import { labelColumns, listedKind } from '../../store/change/kinds.ts'
import type { BatchCall } from '../api/batch-plan.ts'

/** An object that the calls change or make. */
export interface Touched {
  /** Its kind and id. */
  readonly key: string
  /** Its id, path, slug and title, without a slash before them. */
  readonly names: readonly string[]
  /** Its title and its path after all calls. */
  readonly title?: string
  readonly path?: string
  /** The places of the calls that change it. */
  readonly places: readonly number[]
  /** The reference to an object that the calls make, such as `$0.item.id`. */
  readonly made?: string
}

/** Calls as they came together, and the keys of the objects that they changed then. */
interface Step {
  readonly hash: string
  readonly keys: readonly string[]
}

export interface ProposalTouches {
  readonly objects: readonly Touched[]
  /** In order; a call that came again is one of them. */
  readonly steps: readonly Step[]
}

/** The most objects and steps that are remembered. */
const maxObjects = 200
const maxSteps = 100

export const noTouches: ProposalTouches = { objects: [], steps: [] }

export const readTouches = (text: string | null): ProposalTouches =>
  text === null ? noTouches : (JSON.parse(text) as ProposalTouches)

/** Returns the hash of calls that came together. */
export const hashOfCalls = (calls: readonly BatchCall[]): string =>
  createHash('sha256').update(canonical(calls)).digest('base64url').slice(0, 22)

/** A name as it is compared. */
export const plainName = (name: string): string => (name.startsWith('/') ? name.slice(1) : name)

interface Found extends Pick<Touched, 'made' | 'title' | 'path'> {
  readonly names: Set<string>
  readonly places: Set<number>
}

/** The results of a trial, by place. */
type Results = readonly unknown[]

/**
 * Returns the objects that the calls of a trial change and make. An object that an earlier trial made keeps the id that was shown
 * first.
 */
export function touchedBy(records: readonly RowChange[], results: Results, earlier: readonly Touched[] = []): readonly Touched[] {
  const found = new Map<string, Found>()
  for (const record of records) {
    if (labelColumns(record.kind).unlisted) continue
    const { place = 0, id } = record
    const key = `${listedKind(record.kind)} ${id}`
    const known = found.get(key) ?? { names: new Set<string>(), places: new Set<number>(), ...madeBy(record, results[place]) }
    for (const name of namesOf(record)) known.names.add(plainName(name))
    known.places.add(place)
    Object.assign(known, labelOf(record))
    found.set(key, known)
    for (const address of placeOfNew(record)) found.set(address, { names: new Set(), places: new Set([place]) })
  }
  const firstOf = new Map(earlier.flatMap((one) => (one.made === undefined ? [] : [[one.made, one] as const])))
  return [...found].slice(0, maxObjects).map(([key, { names, places, made, ...label }]) => {
    const first = made === undefined ? undefined : firstOf.get(made)
    const [kind = '', id = ''] = key.split(' ')
    const all = first ? [idOf(first), ...[...names].filter((name) => name !== id)] : [...names]
    return {
      key: first ? `${kind} ${idOf(first)}` : key,
      names: [...new Set(all)],
      ...label,
      places: [...places],
      ...(made !== undefined && { made }),
    }
  })
}

/** Returns the key of the place of a new term. Two calls that each make a term of one name belong together. */
const placeOfNew = ({ kind, before, after }: RowChange): readonly string[] =>
  kind === 'term' && before === null ? [`place ${String(after?.['ref'])}`] : []

export const idOf = ({ key }: Touched): string => key.slice(key.indexOf(' ') + 1)

/** The title and the path that an object has now. */
const labelOf = ({ label }: RowChange) => ({
  ...(label && label.title !== '' && { title: label.title }),
  ...(label && label.path !== null && { path: label.path }),
})

/** Returns the names that an object had and has. */
function namesOf({ id, label, before, after }: RowChange): readonly string[] {
  const slugs = [before?.['slug'], after?.['slug']].filter((slug) => typeof slug === 'string')
  return [id, ...(label ? [label.title, label.path ?? ''] : []), ...slugs].filter((name) => name !== '')
}

/** Returns the reference to a new object in the result of the call that makes it. */
function madeBy({ before, kind, id, place = 0 }: RowChange, result: unknown): { made?: string } {
  const path = before === null && kind !== 'entry_pending' ? pathTo(result, id) : undefined
  return path === undefined ? {} : { made: `$${place}${path}` }
}

const maxDepth = 4

/** Returns where a result has an id, such as `.item.id`. */
function pathTo(value: unknown, id: string, depth = 0): string | undefined {
  if (value === null || typeof value !== 'object' || depth > maxDepth) return undefined
  for (const [name, part] of Object.entries(value)) {
    if (part === id && name === 'id') return `.${name}`
    const inner = pathTo(part, id, depth + 1)
    if (inner !== undefined) return `.${name}${inner}`
  }
  return undefined
}

/** Adds the calls that came now to those that are remembered. @param places the calls that they have become */
export function withStep(
  { steps }: ProposalTouches,
  objects: readonly Touched[],
  hash: string,
  places: readonly number[],
): ProposalTouches {
  const own = new Set(places)
  const keys = objects.filter((one) => one.places.some((place) => own.has(place))).map(({ key }) => key)
  return { objects, steps: [...steps.filter((step) => step.hash !== hash), { hash, keys }].slice(-maxSteps) }
}

/** True if these calls came before, and nothing that came later concerns the same objects. */
export function isSameAgain({ steps }: ProposalTouches, hash: string): boolean {
  const at = steps.findIndex((step) => step.hash === hash)
  const keys = new Set(steps[at]?.keys)
  return at >= 0 && steps.slice(at + 1).every((later) => later.keys.every((key) => !keys.has(key)))
}

/**
 * Returns JSON text in which the objects that a trial makes have the ids that were shown first.
 * @param fresh the objects of the trial, with the ids that it made
 */
export function withFirstIds(text: string, first: readonly Touched[], fresh: readonly Touched[]): string {
  const ids = new Map(first.flatMap((one) => (one.made === undefined ? [] : [[one.made, idOf(one)] as const])))
  return fresh.reduce((shown, one) => {
    const id = one.made === undefined ? undefined : ids.get(one.made)
    return id === undefined ? shown : shown.replaceAll(idOf(one), id)
  }, text)
}
