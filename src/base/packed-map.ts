// A map of many small values outside V8's heap: JSON in pieces of a megabyte, found by a table of hashes. 100,000 values in a Map
// cost several times as much memory, half as much again for garbage collection, and time whenever V8 marks them.

import { randomInt } from 'node:crypto'
import { isObject } from './json.ts'

const pieceBytes = 1024 ** 2
/** The bytes before a record: the lengths of its key and value, with a mark in the first if the record was replaced. */
const headBytes = 8
const replaced = 0x8000_0000

/** A map as `PackedMap` without what changes it. */
export type ReadonlyPackedMap<V> = Omit<PackedMap<V>, 'set' | 'clear'>

/**
 * A map from texts to plain data. Values are copies: changes of one that was read are not kept. A key that is set anew comes last.
 */
export class PackedMap<V> {
  #pieces: Buffer[] = []
  /** The first free byte of the last piece. */
  #free = pieceBytes
  /** The places of records: the number of the piece, and the offset in it. 0 is an empty slot. */
  #slots = new Uint32Array(64)
  #size = 0
  /** A hash that nobody can foresee, so that no file can choose keys with equal ones. */
  readonly #seed = randomInt(2 ** 32 - 1)

  readonly #members: readonly (keyof V & string)[] | undefined

  /** @param members all members that values have, which are then kept without their names. None of them is an empty object. */
  constructor(members?: readonly (keyof V & string)[]) {
    this.#members = members
  }

  get size(): number {
    return this.#size
  }

  set(key: string, value: V): this {
    const keyBytes = bytesOf(key)
    const slot = this.#slotOf(keyBytes)
    const before = this.#slots[slot] ?? 0
    if (before !== 0) this.#markReplaced(before)
    else this.#size++
    this.#slots[slot] = this.#append(keyBytes, Buffer.from(this.#textOf(value)))
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return this
  }

  get(key: string): V | undefined {
    const place = this.#slots[this.#slotOf(bytesOf(key))] ?? 0
    return place === 0 ? undefined : this.#valueAt(place)
  }

  has(key: string): boolean {
    return this.#slots[this.#slotOf(bytesOf(key))] !== 0
  }

  /** Takes out all values, and lets go of their memory. */
  clear(): void {
    this.#pieces = []
    this.#free = pieceBytes
    this.#slots = new Uint32Array(64)
    this.#size = 0
  }

  *entries(): Generator<[key: string, value: V]> {
    for (const place of this.#places()) yield [this.#keyAt(place), this.#valueAt(place)]
  }

  *keys(): Generator<string> {
    for (const place of this.#places()) yield this.#keyAt(place)
  }

  *values(): Generator<V> {
    for (const place of this.#places()) yield this.#valueAt(place)
  }

  /** The places of all records, in their order. */
  *#places(): Generator<number> {
    for (let number = 0; number < this.#pieces.length; number++) {
      const piece = this.#pieceAt(number)
      const end = () => (number === this.#pieces.length - 1 ? this.#free : piece.length)
      for (let at = 0; at + headBytes <= end();) {
        const keyLength = piece.readUInt32LE(at)
        // The rest of a piece is empty.
        if (keyLength === 0) break
        if (keyLength < replaced) yield placeOf(number, at)
        at = padded(at + headBytes + (keyLength % replaced) + piece.readUInt32LE(at + 4))
      }
    }
  }

  /** The slot of a key, or the empty one at which it would be. */
  #slotOf(key: Buffer): number {
    const last = this.#slots.length - 1
    for (let slot = this.#hashOf(key) & last; ; slot = (slot + 1) & last) {
      const place = this.#slots[slot] ?? 0
      if (place === 0 || this.#keyBytesAt(place).equals(key)) return slot
    }
  }

  #hashOf(key: Buffer): number {
    let hash = this.#seed
    for (const byte of key) {
      hash = Math.imul(hash ^ byte, 0x5bd1_e995)
      hash ^= hash >>> 15
    }
    return hash >>> 0
  }

  #append(key: Buffer, value: Buffer): number {
    const length = headBytes + key.length + value.length
    if (this.#free + length > (this.#pieces.at(-1)?.length ?? 0)) {
      this.#pieces.push(Buffer.alloc(Math.max(pieceBytes, padded(length))))
      this.#free = 0
    }
    const at = this.#free
    const number = this.#pieces.length - 1
    const piece = this.#pieceAt(number)
    piece.writeUInt32LE(key.length, at)
    piece.writeUInt32LE(value.length, at + 4)
    key.copy(piece, at + headBytes)
    value.copy(piece, at + headBytes + key.length)
    this.#free = padded(at + length)
    return placeOf(number, at)
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (const place of this.#places()) this.#slots[this.#slotOf(this.#keyBytesAt(place))] = place
  }

  #markReplaced(place: number): void {
    const { piece, at } = this.#recordAt(place)
    piece.writeUInt32LE(piece.readUInt32LE(at) + replaced, at)
  }

  #recordAt(place: number): { readonly piece: Buffer; readonly at: number } {
    return { piece: this.#pieceAt(Math.floor((place - 1) / slotsOfPiece)), at: ((place - 1) % slotsOfPiece) * align }
  }

  #pieceAt(number: number): Buffer {
    const piece = this.#pieces[number]
    if (!piece) throw new RangeError(`There is no piece ${number}.`)
    return piece
  }

  #keyBytesAt(place: number): Buffer {
    const { piece, at } = this.#recordAt(place)
    return piece.subarray(at + headBytes, at + headBytes + piece.readUInt32LE(at))
  }

  #keyAt(place: number): string {
    return JSON.parse(this.#keyBytesAt(place).toString()) as string
  }

  #valueAt(place: number): V {
    const { piece, at } = this.#recordAt(place)
    const begin = at + headBytes + piece.readUInt32LE(at)
    return this.#valueOf(piece.toString('utf8', begin, begin + piece.readUInt32LE(at + 4)))
  }

  #textOf(value: V): string {
    if (!this.#members) return JSON.stringify(value)
    const values = this.#members.map((name) => value[name])
    const end = values.findLastIndex((one) => one !== undefined) + 1
    return JSON.stringify(values.slice(0, end).map((one) => (one === undefined ? absent : one)))
  }

  #valueOf(text: string): V {
    const found = JSON.parse(text) as unknown
    if (!this.#members) return found as V
    const values = (found as unknown[]).map((one) => (isAbsent(one) ? undefined : one))
    const named = this.#members.map((name, at) => [name, values[at]] as const).filter(([, one]) => one !== undefined)
    return Object.fromEntries(named) as V
  }
}

/** In place of a member that a value does not have. */
const absent = {}
const isAbsent = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0

/** Records begin at multiples of this, so that a place of 32 bits reaches 16 GiB. */
const align = 4
const slotsOfPiece = pieceBytes / align

const padded = (length: number): number => Math.ceil(length / align) * align
const placeOf = (number: number, at: number): number => number * slotsOfPiece + at / align + 1

/** JSON keeps even half a surrogate pair, of which UTF-8 makes a replacement character. */
const bytesOf = (key: string): Buffer => Buffer.from(JSON.stringify(key))
