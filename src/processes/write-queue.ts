// A fair queue for the processes that write one SQLite file. SQLite gives its own lock to the process that happens to ask at the
// right moment, while the others sleep for longer and longer. Here each process writes into a shared file since when it has been
// waiting, and the one that has waited longest goes first.
// There is no coordinator that could die. The file only decides who asks SQLite for its lock next; the lock itself excludes other
// writers. A process that is dead or stopped no longer confirms its slot, and the others skip it.

import { endedEarly, troubles, unavailable } from '../store/core/errors.ts'
import type { WriteTurns } from '../store/core/write-turns.ts'
import { maxProcesses, type Seat } from './seat.ts'
import type { SlotFile } from './slot-file.ts'

/** The states of a slot. */
const idle = 0
const waiting = 1
const writing = 2

/**
 * The numbers of a slot: its state, the start of the wait, and the last confirmation. Times are in milliseconds of a machine-wide
 * clock.
 */
const numbersPerSlot = 3
const slotBytes = 8 * numbersPerSlot
export const queueFileBytes = slotBytes * (maxProcesses + 1)

export interface WriteQueueOptions {
  /** The time for which a process may continue with its own writes while another waits. */
  readonly turnMs?: number
  /** The longest wait of a writer. */
  readonly waitMs?: number
}

/** The interval at which a waiting process checks for its turn. */
const lookMs = 1
/** The interval of confirmations of a slot, and the time without one after which a process is skipped. */
const confirmMs = 20
const lostMs = 100

/** Milliseconds of the monotonic clock, which all processes of a machine share. */
const machineNow = (): number => Number(process.hrtime.bigint()) / 1e6

interface Writer {
  readonly askedAt: number
  readonly serve: () => void
}

export function createWriteQueue(file: SlotFile, seat: Seat, { turnMs, waitMs = 5000 }: WriteQueueOptions = {}): WriteTurns {
  return new WriteQueue(file, seat, turnMs ?? Math.max(2, 16 / seat.of), waitMs)
}

class WriteQueue implements WriteTurns {
  readonly #file: SlotFile
  readonly #number: number
  readonly #turnMs: number
  readonly #waitMs: number
  readonly #own = new Float64Array(numbersPerSlot)
  readonly #ownBytes = new Uint8Array(this.#own.buffer)
  readonly #all = new Float64Array(numbersPerSlot * (maxProcesses + 1))
  readonly #allBytes = new Uint8Array(this.#all.buffer)
  readonly #writers = new Set<Writer>()
  #turnEndsAt = 0
  /** True if this process has the turn; `#isUsed` is true while one of its writers uses it. */
  #hasTurn = false
  #isUsed = false
  #timer: NodeJS.Timeout | undefined

  constructor(file: SlotFile, { number }: Seat, turnMs: number, waitMs: number) {
    this.#file = file
    this.#number = number
    this.#turnMs = turnMs
    this.#waitMs = waitMs
    this.#say(idle, 0)
  }

  enter(signal?: AbortSignal): Promise<void> | undefined {
    if (signal?.aborted) throw endedEarly()
    // For the first writer, the queue is usually empty.
    if (this.#writers.size === 0 && !this.#isUsed && this.#takeTurn(machineNow())) {
      this.#isUsed = true
      return undefined
    }
    return this.#wait(signal)
  }

  leave(): void {
    this.#isUsed = false
    const [next] = this.#writers
    const now = machineNow()
    if (next && (now < this.#turnEndsAt || !this.#isOtherFirst(Infinity, now))) return this.#serve(next)
    this.#endTurn()
    if (next) this.#ask(next, now)
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        this.#writers.delete(writer)
        settle()
      }
      const turnAway = (reason: Error) => {
        end(() => reject(reason))
        if (this.#writers.size === 0 && !this.#isUsed) this.#endTurn()
      }
      const giveUp = () => turnAway(endedEarly())
      const writer = { askedAt: machineNow(), serve: () => end(resolve) }
      const timer = setTimeout(() => turnAway(unavailable(...troubles.busy)), this.#waitMs)
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#writers.add(writer)
      if (this.#writers.size === 1 && !this.#isUsed) this.#ask(writer, writer.askedAt)
    })
  }

  #serve(writer: Writer): void {
    this.#isUsed = true
    writer.serve()
  }

  /** Announces that the process waits, and checks for its turn until it has it. */
  #ask({ askedAt }: Writer, now: number): void {
    this.#say(waiting, askedAt, now)
    this.#lookAgain()
  }

  #lookAgain(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), lookMs)
  }

  #look(): void {
    const [next] = this.#writers
    if (!next || this.#isUsed) return
    const now = machineNow()
    if (this.#takeTurn(now, next.askedAt)) return this.#serve(next)
    this.#confirm(now)
    this.#lookAgain()
  }

  /**
   * Takes the turn unless another process writes or has waited longer. It announces itself before it reads, so that of two
   * processes at least one sees the other.
   */
  #takeTurn(now: number, askedAt = now): boolean {
    if (this.#own[0] !== waiting) this.#say(waiting, askedAt, now)
    if (this.#isOtherFirst(askedAt, now)) return false
    this.#hasTurn = true
    this.#turnEndsAt = now + this.#turnMs
    this.#say(writing, askedAt, now)
    this.#keepConfirming()
    return true
  }

  #endTurn(): void {
    clearTimeout(this.#timer)
    this.#hasTurn = false
    this.#say(idle, 0)
  }

  /** Confirms the slot during a long transaction, so that the process keeps its turn while it is alive. */
  #keepConfirming(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.#hasTurn) return
      this.#confirm(machineNow())
      this.#keepConfirming()
    }, confirmMs).unref()
  }

  #confirm(now: number): void {
    if (now - (this.#own[2] ?? 0) >= confirmMs) this.#say(this.#own[0] ?? idle, this.#own[1] ?? 0, now)
  }

  #say(state: number, askedAt: number, now: number = askedAt): void {
    this.#own[0] = state
    this.#own[1] = askedAt
    this.#own[2] = now
    this.#file.write(this.#ownBytes, slotBytes * this.#number)
  }

  /**
   * True if another living process writes, or has waited since before this time. If two asked at the same time, the lower number
   * goes first.
   */
  #isOtherFirst(askedAt: number, now: number): boolean {
    const all = this.#all
    this.#file.read(this.#allBytes, 0)
    for (let number = 1; number <= maxProcesses; number++) {
      const at = number * numbersPerSlot
      const state = all[at] ?? idle
      if (state === idle || number === this.#number) continue
      const [since = 0, confirmed = 0] = [all[at + 1], all[at + 2]]
      if (Math.abs(now - confirmed) > lostMs) continue
      if (state === writing || since < askedAt || (since === askedAt && number < this.#number)) return true
    }
    return false
  }
}
