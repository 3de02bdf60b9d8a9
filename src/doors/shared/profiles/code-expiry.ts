// The expiry of an authorization code. Up to release 0.10 it was written in UTC and read as local time: if the machine is ahead
// of UTC, every code is expired at issue.

import type { Release } from '../../../base/release.ts'

/**
 * True if a code has expired. Behind UTC, the old defect would make codes valid for longer, so a code never lasts longer than in
 * release 1.
 */
export function codeExpired({ codeExpiry }: Pick<Release, 'codeExpiry'>, expiresAt: number, now: number): boolean {
  const readBack = codeExpiry === 'local' ? asLocal(expiresAt) : expiresAt
  return Math.min(readBack, expiresAt) <= now
}

/** The result of writing a time in UTC and reading it as local time. */
function asLocal(ms: number): number {
  const written = new Date(ms)
  return new Date(
    written.getUTCFullYear(),
    written.getUTCMonth(),
    written.getUTCDate(),
    written.getUTCHours(),
    written.getUTCMinutes(),
    written.getUTCSeconds(),
    written.getUTCMilliseconds(),
  ).getTime()
}
