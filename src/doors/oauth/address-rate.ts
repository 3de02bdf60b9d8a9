// Rate limits per network address, for endpoints that need no token.

import type { Services } from '../../actions/call/services.ts'
import { rateKey } from '../../http/addresses.ts'
import { HttpFailure } from '../../http/failure.ts'

export interface AddressRate {
  /** Counts a request from the address. @throws HttpFailure `rate_limited` */
  check(address: string): void
}

const maxKeys = 20_000

/** Creates a limit of `limit` requests in `windowMs`, which all processes of a machine share. @param name what is limited */
export function createAddressRate(
  { config, clock, processes }: Pick<Services, 'config' | 'clock' | 'processes'>,
  name: string,
  limit: number,
  windowMs: number,
): AddressRate {
  if (config.POSTERN_RATE_LIMITS === 'off') return { check: () => undefined }
  const limiter = processes.limiter(name, { limit, windowMs, maxKeys, clock })
  return {
    check(address) {
      const { allowed, resetSeconds } = limiter.take(rateKey(address))
      if (allowed) return
      const message = `Too many requests from this address: try again in ${resetSeconds} seconds.`
      throw new HttpFailure('rate_limited', message, undefined, { retryAfterSeconds: resetSeconds })
    },
  }
}
