// The limits of a token or a connected app, in words.

import type { TokenLimits } from '../../identity/caller.ts'

/** In one line; `''` where there are no limits. */
export function limitsInWords({ classes, types, drafts_only: drafts, addresses, per_minute: calls, ask }: TokenLimits): string {
  return [
    drafts === true && 'drafts only',
    ask && (ask.includes('*') ? 'asks before every change' : `asks before ${ask.join(', ')}`),
    types && `writes ${types.join(', ')}`,
    classes && `only ${classes.join(', ')}`,
    addresses && `from ${addresses.join(', ')}`,
    calls !== undefined && `${calls} calls per minute`,
  ]
    .filter((words) => typeof words === 'string')
    .join('; ')
}
