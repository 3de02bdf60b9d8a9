// The limits of a token or a connected app, in words.

import type { Scope, TokenLimits } from '../../identity/caller.ts'
import type { Words } from '../words.ts'
import { scopeKeys } from './scope-words.ts'

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

/** Returns what a token or an app may do, as sentences: each limit first, then what the scope allows within them. */
export function rightsInWords(t: Words, { scope, limits }: { readonly scope: Scope; readonly limits: TokenLimits }): string[] {
  const { classes, types, drafts_only: drafts, addresses, per_minute: calls, ask } = limits
  const names = (list: readonly string[]) => ({ names: list.join(', ') })
  return [
    ask && scope !== 'read' && (ask.includes('*') ? t('connections.may_asks') : t('connections.may_asks_some', names(ask))),
    drafts === true && t('connections.may_drafts'),
    types && t('connections.may_types', names(types)),
    classes && t('connections.may_classes', names(classes)),
    addresses && t('connections.may_addresses', names(addresses)),
    calls !== undefined && t('connections.may_calls', { count: calls }),
    t(scopeKeys[scope].help),
  ].filter((words) => typeof words === 'string')
}
