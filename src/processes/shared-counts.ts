// Counts calls for rate limits across the processes of a machine. The counts are in a file: each process writes its own column, and
// adds up all columns. No count is lost when a process dies, and two simultaneous calls never exceed a limit together.

import { createHmac } from 'node:crypto'
import type { Limiter, LimiterOptions, Taken } from '../http/rate-limit.ts'
import type { SlotFile } from './slot-file.ts'
import type { Seat } from './seat.ts'

/** The limiters of one process, which share their counts with the other processes. */
export interface SharedCounts {
  /** Returns a limiter. Limiters with different names count separately. */
  limiter(name: string, options: Omit<LimiterOptions, 'maxKeys'>): Limiter
}

/** Each key belongs to one bucket. If all ways of a bucket are taken, the key whose window ends first is removed. */
const buckets = 2048
const ways = 8
/** The numbers of an entry: the hash of its key (0: none), the end of its window in UTC milliseconds, and its count. */
const entryNumbers = 3
const columnNumbers = ways * entryNumbers
const columnBytes = 8 * columnNumbers

export const countsFileBytes = ({ of }: Pick<Seat, 'of'>): number => buckets * of * columnBytes

/** The most tries for a call that collides with another call at the limit, before it is refused. */
const maxTries = 10

/** @param secret prevents callers from choosing keys that push out another caller's key */
export function createSharedCounts(file: SlotFile, seat: Seat, secret: Uint8Array): SharedCounts {
  const counts = new Counts(file, seat, secret)
  return {
    limiter: (name, options) => ({
      take: (key, count = 1) => counts.take(`${name} ${options.limit} ${key}`, count, options),
      giveBack: (key) => counts.giveBack(`${name} ${options.limit} ${key}`, options.clock.now()),
      get size() {
        return counts.size
      },
    }),
  }
}

/** The place of an entry: its bucket, and its position in the process's columns. */
interface Place {
  readonly bucket: number
  readonly at: number
}

class Counts {
  readonly #file: SlotFile
  readonly #seat: Seat
  readonly #secret: Uint8Array
  /** The columns of this process, as they are in the file. */
  readonly #own: Float64Array
  /** The counts of the other processes per entry at the last look. */
  readonly #lastOthers = new Float64Array(buckets * ways)
  readonly #row: Float64Array
  readonly #rowBytes: Uint8Array
  readonly #places = new Map<string, Place>()
  readonly #keys: (string | undefined)[] = []

  constructor(file: SlotFile, seat: Seat, secret: Uint8Array) {
    this.#file = file
    this.#seat = seat
    this.#secret = secret
    this.#own = new Float64Array(buckets * columnNumbers)
    this.#row = new Float64Array(seat.of * columnNumbers)
    this.#rowBytes = new Uint8Array(this.#row.buffer)
    // An earlier process in this seat may have counted in windows that are still open.
    for (let bucket = 0; bucket < buckets; bucket++) file.read(this.#columnBytes(bucket), this.#columnAt(bucket))
  }

  get size(): number {
    return this.#places.size
  }

  take(key: string, count: number, { limit, windowMs, clock }: Omit<LimiterOptions, 'maxKeys'>): Taken {
    const now = clock.now()
    const { bucket, at } = this.#places.get(key) ?? this.#place(key, now)
    const own = this.#own
    const hash = own[at] ?? 0
    if (!isLive(own[at + 1] ?? 0, now, windowMs)) {
      // A window that another process opened for this key applies here too.
      own[at + 1] = this.#others(bucket, hash, now, windowMs).endsAt || now + windowMs
      own[at + 2] = 0
      this.#lastOthers[at / entryNumbers] = limit
      this.#write(bucket, at)
    }
    const endsAt = own[at + 1] ?? 0
    const before = own[at + 2] ?? 0
    let taken = before
    let allowed = false
    const index = at / entryNumbers
    for (let attempt = 1; !allowed && attempt <= maxTries; attempt++) {
      taken = before + (this.#lastOthers[index] ?? 0)
      // The counts of the last look suffice while they leave room, because the claim below is checked.
      if (attempt > 1 || taken + count > limit) taken = before + this.#others(bucket, hash, now, windowMs).count
      if (taken + count > limit) break
      // The claim is written before the counts are added up, so that of two simultaneous calls at least one sees the other. Both
      // may withdraw; then the process with the higher number waits a little longer.
      own[at + 2] = before + count
      this.#write(bucket, at)
      const others = this.#others(bucket, hash, now, windowMs).count
      this.#lastOthers[index] = others
      taken = before + others
      allowed = taken + count <= limit
      if (allowed) break
      own[at + 2] = before
      this.#write(bucket, at)
      spin(attempt * this.#seat.number)
    }
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - taken - (allowed ? count : 0)),
      resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
    }
  }

  giveBack(key: string, now: number): void {
    const place = this.#places.get(key)
    if (!place || (this.#own[place.at + 1] ?? 0) <= now) return
    const count = this.#own[place.at + 2] ?? 0
    if (count === 0) return
    this.#own[place.at + 2] = count - 1
    this.#write(place.bucket, place.at)
  }

  /** Returns the sum of the other processes' counts for a key, and the end of their window; 0 if there is none. */
  #others(bucket: number, hash: number, now: number, windowMs: number): { count: number; endsAt: number } {
    const row = this.#row
    this.#file.read(this.#rowBytes, this.#columnAt(bucket) - (this.#seat.number - 1) * columnBytes)
    const own = (this.#seat.number - 1) * columnNumbers
    let count = 0
    let endsAt = 0
    for (let at = 0; at < row.length; at += entryNumbers) {
      if (row[at] !== hash || (at >= own && at < own + columnNumbers)) continue
      const ends = row[at + 1] ?? 0
      if (!isLive(ends, now, windowMs)) continue
      count += row[at + 2] ?? 0
      endsAt = Math.max(endsAt, ends)
    }
    return { count, endsAt }
  }

  /** Returns the entry of a key, which an earlier process in this seat may have left, or makes room for it. */
  #place(key: string, now: number): Place {
    const digest = createHmac('sha256', this.#secret).update(key).digest()
    const bucket = digest.readUInt32LE(0) % buckets
    const hash = digest.readUIntLE(4, 6) + 1
    const own = this.#own
    const first = bucket * columnNumbers
    let at = first
    for (let way = first; way < first + columnNumbers; way += entryNumbers) {
      if (own[way] === hash) {
        at = way
        break
      }
      if (endOf(own, way, now) < endOf(own, at, now)) at = way
    }
    const index = at / entryNumbers
    const former = this.#keys[index]
    if (former !== undefined) this.#places.delete(former)
    if (own[at] !== hash) {
      own[at] = hash
      own[at + 1] = 0
      own[at + 2] = 0
      this.#write(bucket, at)
    }
    this.#keys[index] = key
    const place = { bucket, at }
    this.#places.set(key, place)
    return place
  }

  #columnAt(bucket: number): number {
    return (bucket * this.#seat.of + this.#seat.number - 1) * columnBytes
  }

  #columnBytes(bucket: number): Uint8Array {
    return new Uint8Array(this.#own.buffer, bucket * columnBytes, columnBytes)
  }

  #write(bucket: number, at: number): void {
    const inColumn = 8 * (at - bucket * columnNumbers)
    this.#file.write(new Uint8Array(this.#own.buffer, 8 * at, 8 * entryNumbers), this.#columnAt(bucket) + inColumn)
  }
}

/** True if a window is open. A window that ends too late was opened before the clock was set back. */
const isLive = (endsAt: number, now: number, windowMs: number): boolean => endsAt > now && endsAt <= now + windowMs

/** Returns the end of a window; 0 if it has ended. */
function endOf(entries: Float64Array, at: number, now: number): number {
  const endsAt = entries[at + 1] ?? 0
  return endsAt > now ? endsAt : 0
}

/** Waits for a few microseconds. */
function spin(rounds: number): void {
  const until = performance.now() + rounds * 0.01
  while (performance.now() < until);
}
