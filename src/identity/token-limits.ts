// Validates and compares the limits of tokens. `check-limits.ts` and `content/entries/allowed.ts` enforce them.

import { Failure } from '../base/failure.ts'
import { createAddressSet, parseAddress } from '../http/addresses.ts'
import type { TokenLimits } from './caller.ts'

type Limit = keyof TokenLimits

/** True if a text is a network address, or a range such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0 || parseAddress(address) === undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false
  try {
    createAddressSet([text])
    return true
  } catch {
    return false
  }
}

/**
 * Checks that each limit in `after` is as tight as in `before`, or tighter.
 * @throws Failure `refused`, naming the first limit that is wider
 */
export function checkTighter(before: TokenLimits, after: TokenLimits, whose: string): void {
  const wider = (Object.keys(tighter) as Limit[]).find((limit) => before[limit] !== undefined && !tighter[limit](before, after))
  if (wider === undefined) return
  throw new Failure(
    'refused',
    `${whose} is limited in ${JSON.stringify(wider)} to ${JSON.stringify(before[wider])}, and limits only tighten.`,
    {
      field: `limits.${wider}`,
      expected: before[wider],
      rule: "a token's limits only tighten, and one token makes no stronger one",
      hint: 'Give the same limits or tighter ones.',
    },
  )
}

const within = (before: readonly string[] = [], after: readonly string[] | undefined): boolean =>
  after?.every((item) => before.includes(item)) ?? false

const tighter: Record<Limit, (before: TokenLimits, after: TokenLimits) => boolean> = {
  classes: (before, after) => within(before.classes, after.classes),
  types: (before, after) => within(before.types, after.types),
  drafts_only: (before, after) => before.drafts_only !== true || after.drafts_only === true,
  author: (before, after) => before.author === after.author,
  addresses: (before, after) =>
    after.addresses?.every((item) => before.addresses?.some((range) => contains(range, item))) ?? false,
  ask: (before, after) => before.ask?.every((pattern) => after.ask?.some((other) => coversPattern(other, pattern))) ?? true,
  per_minute: (before, after) => after.per_minute !== undefined && after.per_minute <= (before.per_minute ?? 0),
}

/** True if a pattern covers every action that another one names. A pattern is `*`, `SVC_Content.*` or the name of an action. */
export const coversPattern = (one: string, other: string): boolean =>
  one === '*' || one === other || (one.endsWith('.*') && other.startsWith(one.slice(0, -1)))

/** True if a range contains all of another. */
function contains(range: string, item: string): boolean {
  const [address = ''] = item.split('/')
  return range === item || (createAddressSet([range])(parseAddress(address) ?? '') && bitsOf(item) >= bitsOf(range))
}

function bitsOf(range: string): number {
  const [address = '', bits] = range.split('/')
  return bits === undefined ? 128 : Number(bits) + (address.includes(':') ? 0 : 96)
}

/** Combines two sets of limits into the tighter ones. A restore gives these to a token or grant that is in both databases. */
export function lowerLimits(a: TokenLimits, b: TokenLimits): TokenLimits {
  const both = (name: 'classes' | 'types') => {
    const [one, other] = [a[name], b[name]]
    const kept = one && other ? one.filter((item) => other.includes(item)) : (one ?? other)
    return kept && { [name]: kept }
  }
  const addresses = a.addresses && b.addresses ? sharedRanges(a.addresses, b.addresses) : (a.addresses ?? b.addresses)
  const perMinute = Math.min(a.per_minute ?? Infinity, b.per_minute ?? Infinity)
  return {
    ...both('classes'),
    ...both('types'),
    ...(a.drafts_only === true || b.drafts_only === true ? { drafts_only: true } : {}),
    ...(a.ask || b.ask ? { ask: [...new Set([...(a.ask ?? []), ...(b.ask ?? [])])] } : {}),
    ...((a.author ?? b.author) === undefined ? {} : { author: a.author ?? b.author }),
    ...(addresses && { addresses }),
    ...(Number.isFinite(perMinute) ? { per_minute: perMinute } : {}),
  }
}

/** The ranges that both lists allow. Two ranges are disjoint, or one contains the other. */
function sharedRanges(a: readonly string[], b: readonly string[]): readonly string[] {
  const shared = a.flatMap((one) => b.flatMap((other) => (contains(one, other) ? [other] : contains(other, one) ? [one] : [])))
  return [...new Set(shared)]
}
