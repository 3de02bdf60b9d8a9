// A set of ids as one array of numbers. A `Set` of numbers beyond 31 bits takes five times the memory, and twice the time.

const first = 1024

export class IdSet {
  #slots = new Float64Array(first)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds an id from 1 to 2^48. @returns false if the set has it already */
  add(id: number): boolean {
    const slots = this.#slots
    const at = slotOf(slots, id)
    if (slots[at] === id) return false
    slots[at] = id
    this.#size += 1
    if (this.#size > slots.length / 2) this.#grow()
    return true
  }

  has(id: number): boolean {
    return this.#slots[slotOf(this.#slots, id)] === id
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#slots.length)
    for (const id of this.#slots) if (id !== 0) larger[slotOf(larger, id)] = id
    this.#slots = larger
  }
}

/** The slot of an id, or the free one for it. Ids are random, so their lowest bits are. */
function slotOf(slots: Float64Array, id: number): number {
  const mask = slots.length - 1
  let at = (id >>> 0) & mask
  while (slots[at] !== 0 && slots[at] !== id) at = (at + 1) & mask
  return at
}
