// The counts of one day in memory, until they are written. Everything in it is bounded, whatever visitors send.

import { IdSet } from './id-set.ts'
import { joined, type Part } from './parts.ts'
import { mixedId, networkNumber, valueNumber, visitorId } from './visitor-id.ts'

/** The count of a value since the last write. */
export interface DayCell {
  readonly part: Part
  readonly value: string
  readonly number: number
  views: number
  visitors: number
  /** A list of this cell, for the ids that it alone counts. */
  readonly alone: readonly DayCell[]
}

/** An id, and the cells that count a visitor if no other process has seen it. */
export interface WaitingId {
  readonly id: number
  readonly cells: readonly DayCell[]
}

export interface CountBatch {
  readonly day: string
  readonly salt: string
  readonly cells: readonly DayCell[]
  readonly ids: WaitingId[]
}

/** A view or a download of a person. */
export interface PersonView {
  readonly address: string
  readonly agent: string
  /** Counted by views, and by visitors each. */
  readonly values: readonly (readonly [part: Part, value: string])[]
  /** Counted by views, and once for each visitor of the day: all views, device and language. Empty for a download. */
  readonly ofVisitor: readonly (readonly [part: Part, value: string])[]
}

/** The most values of a part between two writes. */
const maxCells = 1000
/** The most ids that a process knows on a day. More visitors are not counted; their views are. */
const maxIds = 300_000
/** The most visitors of a network on a day. A machine that changes its user agent makes no more. */
const maxOfNetwork = 500

export class DayCounts {
  readonly day: string
  readonly salt: string
  readonly #seen = new IdSet()
  readonly #networks = new Map<number, number>()
  #cells = new Map<Part, Map<string, DayCell>>()
  #ids: WaitingId[] = []

  /** @param day in the site's time zone */
  constructor(day: string, salt: string) {
    this.day = day
    this.salt = salt
  }

  get isEmpty(): boolean {
    return this.#cells.size === 0
  }

  /** Counts a view without a visitor, such as one of a program. */
  view(part: Part, value: string): void {
    this.#cell(part, value).views += 1
  }

  person({ address, agent, values, ofVisitor }: PersonView): void {
    const visitor = visitorId(this.salt, address, agent)
    const once = ofVisitor.map(([part, value]) => this.#viewed(part, value))
    const each = values.map(([part, value]) => this.#viewed(part, value))
    if (once.length > 0 && !this.#seen.has(visitor)) {
      if (!this.#admit(address)) return
      this.#note(visitor, once)
    }
    for (const cell of each) this.#note(mixedId(visitor, cell.number), cell.alone)
  }

  /** Takes the counts out, to write them. The ids stay known. */
  take(): CountBatch {
    const cells = [...this.#cells.values()].flatMap((values) => [...values.values()])
    const batch = { day: this.day, salt: this.salt, cells, ids: this.#ids }
    this.#cells = new Map()
    this.#ids = []
    return batch
  }

  /** Adds counts that could not be written. */
  giveBack({ cells, ids }: CountBatch): void {
    for (const { part, value, views } of cells) this.#cell(part, value).views += views
    for (const one of ids) this.#ids.push({ id: one.id, cells: one.cells.map(({ part, value }) => this.#cell(part, value)) })
  }

  #viewed(part: Part, value: string): DayCell {
    const cell = this.#cell(part, value)
    cell.views += 1
    return cell
  }

  #cell(part: Part, value: string): DayCell {
    let values = this.#cells.get(part)
    if (!values) this.#cells.set(part, (values = new Map()))
    const known = values.get(value)
    if (known) return known
    if (values.size >= maxCells && value !== joined) return this.#cell(part, joined)
    const alone: DayCell[] = []
    const made: DayCell = { part, value, number: valueNumber(part, value), views: 0, visitors: 0, alone }
    alone.push(made)
    values.set(value, made)
    return made
  }

  /** Has the cells count an id, unless this process has seen it today. */
  #note(id: number, cells: readonly DayCell[]): void {
    if (this.#seen.size < maxIds && this.#seen.add(id)) this.#ids.push({ id, cells })
  }

  /** True if one more visitor of the network may be counted. */
  #admit(address: string): boolean {
    const network = networkNumber(this.salt, address)
    const visitors = this.#networks.get(network) ?? 0
    if (visitors >= maxOfNetwork || this.#seen.size >= maxIds) return false
    this.#networks.set(network, visitors + 1)
    return true
  }
}
