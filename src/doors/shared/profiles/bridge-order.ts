// The requests that an active bridge plugin decides on. In old release profiles the bridge takes over: it also decides on every
// request with a usable token, so it rejects valid tokens. In release 1 tokens win.

import type { Release } from '../../../base/release.ts'

/**
 * @param hasKey true if there was an `X-API-Key`
 * @param hasCaller true if there was a usable token
 */
export function isForBridge({ bridge }: Release, hasKey: boolean, hasCaller: boolean): boolean {
  return bridge === 'takes-over' ? hasKey || hasCaller : hasKey && !hasCaller
}
