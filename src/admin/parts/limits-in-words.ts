// The limits of a token or a connected app, in words.

import type { TokenLimits } from '../../identity/caller.ts'
import type { Words } from '../words.ts'

/** Returns the limits in one line; `''` without limits. */
export function limitsInWords(t: Words, limits: TokenLimits): string {
  const { classes, types, drafts_only: drafts, addresses, per_minute: calls, ask } = limits
  const names = (list: readonly string[]) => ({ names: list.join(', ') })
  return [
    drafts === true && t('connections.limit_drafts'),
    ask && (ask.includes('*') ? t('connections.limit_asks') : t('connections.limit_asks_some', names(ask))),
    types && t('connections.limit_types', names(types)),
    classes && t('connections.limit_classes', names(classes)),
    addresses && t('connections.limit_addresses', names(addresses)),
    calls !== undefined && t('connections.limit_calls', { count: calls }),
  ]
    .filter((words) => typeof words === 'string')
    .join('; ')
}
