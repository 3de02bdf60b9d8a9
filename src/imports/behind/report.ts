// The report of an import: what came, and everything that did not, by group, name and reason. It is kept with the run, so it grows
// only to a limit; beyond that it counts.

import { cutText } from '../../base/cut-text.ts'
import { incomplete } from '../stream.ts'
import { detached } from './detached.ts'

/** The most different losses, and the most named things of any other list. */
const maxLosses = 2000
const maxNamed = 500
const examples = 3
const maxText = 300

export interface Loss {
  readonly group: string
  readonly name: string
  readonly reason: string
  count: number
  /** The first entries, files or lines with it. */
  readonly where: string[]
}

/** A kind of block, shortcode, card, tag or meta key of the old site, carried over or not. */
export interface Construct {
  readonly group: string
  readonly name: string
  count: number
  /** The first entry with it. */
  readonly where: string
}

/** An object of the import that stays as it is, with the reason. */
export interface Named {
  readonly kind: string
  readonly title: string
  /** Its path here, if it has one. */
  readonly path: string | null
  readonly why: string
}

/** The report as it is stored. */
export interface ReportData {
  readonly counts: Readonly<Record<string, number>>
  readonly losses: readonly Loss[]
  /** Changed here since the last import, and left as they are. */
  readonly conflicts: readonly Named[]
  /** Paths that are taken or reserved, each with what became of the entry. */
  readonly clashes: readonly Named[]
  /** Links of the texts that lead nowhere, as losses of the group `link`. */
  readonly links: readonly Loss[]
  /** Older reports have none. */
  readonly constructs?: readonly Construct[]
  /** Settings of the old site that were taken over, by key. Older reports have none. */
  readonly settings?: Readonly<Record<string, string>>
}

export class Report {
  readonly #counts: Record<string, number>
  readonly #losses: Map<string, Loss>
  readonly #links: Map<string, Loss>
  readonly #conflicts: Named[]
  readonly #clashes: Named[]
  readonly #constructs: Map<string, Construct>
  readonly #settings: Record<string, string>

  constructor(from?: ReportData) {
    this.#counts = { ...from?.counts }
    this.#losses = lossesByKey(from?.losses)
    this.#links = lossesByKey(from?.links)
    this.#conflicts = [...(from?.conflicts ?? [])]
    this.#clashes = [...(from?.clashes ?? [])]
    this.#constructs = new Map(from?.constructs?.map((one) => [keyOf(one), { ...one }]))
    this.#settings = { ...from?.settings }
  }

  count(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by
  }

  counted(name: string): number {
    return this.#counts[name] ?? 0
  }

  loss(group: string, name: string, reason: string, where?: string, count = 1): void {
    note(this.#losses, { group, name: cut(name), reason: cut(reason), count, where: where === undefined ? [] : [cut(where)] })
  }

  link(address: string, where: string): void {
    this.count('links.nowhere')
    note(this.#links, { group: 'link', name: cut(address), reason: 'nothing is there', count: 1, where: [cut(where)] })
  }

  construct(group: string, name: string, where: string, count = 1): void {
    const key = keyOf({ group, name })
    const known = this.#constructs.get(key)
    if (known) known.count += count
    else if (this.#constructs.size < maxNamed)
      this.#constructs.set(detached(key), { group, name: cut(name), where: cut(where), count })
  }

  conflict(named: Named): void {
    this.count('conflicts')
    if (this.#conflicts.length < maxNamed) this.#conflicts.push(named)
  }

  /** Notes a path that an entry of this site has. */
  clash(named: Named): void {
    this.count('clashes')
    if (this.#clashes.length < maxNamed) this.#clashes.push(named)
  }

  /** Notes a path that another entry of the import has, or that is reserved, so that the entry gets a number. */
  renumber(named: Named): void {
    this.count('paths.numbered')
    if (this.#clashes.length < maxNamed) this.#clashes.push(named)
  }

  setting(key: string, value: string): void {
    this.#settings[key] = cut(value)
  }

  /** Adds what another report has. */
  add(other: ReportData): void {
    Object.assign(this.#settings, other.settings)
    for (const [name, count] of Object.entries(other.counts)) this.count(name, count)
    for (const loss of other.losses) note(this.#losses, loss)
    for (const link of other.links) note(this.#links, link)
    for (const { group, name, where, count } of other.constructs ?? []) this.construct(group, name, where, count)
    for (const named of other.conflicts) if (this.#conflicts.length < maxNamed) this.#conflicts.push(named)
    for (const named of other.clashes) if (this.#clashes.length < maxNamed) this.#clashes.push(named)
  }

  data(): ReportData {
    return {
      counts: { ...this.#counts },
      losses: [...this.#losses.values()].sort(
        (a, b) => Number(b.group === incomplete) - Number(a.group === incomplete) || mostFirst(a, b),
      ),
      conflicts: this.#conflicts,
      clashes: this.#clashes,
      links: [...this.#links.values()].sort(mostFirst),
      constructs: [...this.#constructs.values()].sort(mostFirst),
      settings: { ...this.#settings },
    }
  }
}

/** Counts the kinds of losses for which the report has no room. */
const full = { group: 'report', name: 'more kinds of losses', reason: 'the report names 2,000', count: 1 } as const

function note(losses: Map<string, Loss>, loss: Loss): void {
  const key = `${loss.group}\0${loss.name}\0${loss.reason}`
  const known = losses.get(key)
  if (known) {
    known.count += loss.count
    for (const where of loss.where) if (known.where.length < examples && !known.where.includes(where)) known.where.push(where)
    return
  }
  if (losses.size < maxLosses || loss.group === full.group) losses.set(key, { ...loss, where: loss.where.slice(0, examples) })
  else note(losses, { ...full, where: [] })
}

const keyOf = ({ group, name }: Pick<Construct, 'group' | 'name'>): string => `${group}\0${name}`

const lossesByKey = (losses: readonly Loss[] = []): Map<string, Loss> =>
  new Map(losses.map((loss) => [`${loss.group}\0${loss.name}\0${loss.reason}`, { ...loss, where: [...loss.where] }]))

const mostFirst = (a: Counted, b: Counted): number => b.count - a.count || (a.name < b.name ? -1 : 1)

type Counted = Pick<Loss, 'name' | 'count'>

const cut = (text: string): string => detached(cutText(text.toWellFormed(), maxText))
