// Limits the calls per minute of each token, or of each network address for callers without a token. The door answers a refused
// call.

import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { rateKey } from '../http/addresses.ts'
import { createLimiter, type Limiter, type LimiterOptions, type Taken } from '../http/rate-limit.ts'
import type { Caller } from './caller.ts'

export interface CallRate {
  /** Counts a call of this caller. Calls from the command line, plugins and Postern itself are not counted. */
  takeCall(caller: Caller): Taken
  /** Counts several calls at once. If they exceed the limit, none of them is counted. */
  takeCalls(caller: Caller, count: number): Taken
  /** Counts a key from an address before the key is checked. */
  takeGuess(address: string): Taken
  /** Uncounts a guess after its key proved valid. */
  giveBackGuess(address: string): void
}

const windowMs = 60_000
const maxKeys = 20_000
/** The largest number of limiters, one per value of the limit. Tokens may have different limits, but owners use few values. */
const maxLimiters = 100

const free: Taken = Object.freeze({
  allowed: true,
  limit: Number.MAX_SAFE_INTEGER,
  remaining: Number.MAX_SAFE_INTEGER,
  resetSeconds: 60,
})

/** Creates a limiter. Its name separates its keys from those of other limiters. */
export type MakeLimiter = (name: string, options: LimiterOptions) => Limiter

const inMemory: MakeLimiter = (_name, options) => createLimiter(options)

/**
 * Creates the limits.
 * @param make creates limiters that all processes of a machine share; by default this process counts alone
 */
export function createCallRate(config: Config, clock: Clock, make: MakeLimiter = inMemory): CallRate {
  if (config.POSTERN_RATE_LIMITS === 'off')
    return { takeCall: () => free, takeCalls: () => free, takeGuess: () => free, giveBackGuess: () => undefined }
  const limiter = (limit: number, name = 'calls') => make(name, { limit, windowMs, maxKeys, clock })
  const anonymous = limiter(config.POSTERN_ANONYMOUS_CALLS_PER_MINUTE, 'anonymous')
  const guesses = limiter(config.POSTERN_ANONYMOUS_CALLS_PER_MINUTE, 'guesses')
  const perToken = config.POSTERN_TOKEN_CALLS_PER_MINUTE
  const byLimit = new Map<number, Limiter>([[perToken, limiter(perToken)]])

  const limiterOf = (limit: number): Limiter => {
    let found = byLimit.get(limit)
    if (!found) {
      const oldest = byLimit.size >= maxLimiters ? [...byLimit.keys()][1] : undefined
      if (oldest !== undefined) byLimit.delete(oldest)
      byLimit.set(limit, (found = limiter(limit)))
    }
    return found
  }

  const takeCalls = ({ token, account, door, address }: Caller, count: number): Taken => {
    if (token) return limiterOf(Math.min(perToken, token.limits.per_minute ?? perToken)).take(token.id, count)
    if (door === 'cli' || door === 'plugin' || door === 'system') return free
    return account ? limiterOf(perToken).take(account.id, count) : anonymous.take(rateKey(address), count)
  }

  return {
    takeCall: (caller) => takeCalls(caller, 1),
    takeCalls,
    takeGuess: (address) => guesses.take(rateKey(address)),
    giveBackGuess: (address) => guesses.giveBack(rateKey(address)),
  }
}
