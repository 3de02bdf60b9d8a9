// The rights of an app or a token by scope, and the changes that can be undone.

import type { Scope } from '../../identity/caller.ts'
import type { MessageKey, Words } from '../words.ts'

/** The name and the meaning of a choice. */
export interface ChoiceKeys {
  readonly label: MessageKey
  readonly help: MessageKey
}

export const scopeKeys: Readonly<Record<Scope, ChoiceKeys>> = {
  read: { label: 'connections.scope_read', help: 'connections.scope_read_help' },
  content: { label: 'connections.scope_content', help: 'connections.scope_content_help' },
  admin: { label: 'connections.scope_admin', help: 'connections.scope_admin_help' },
}

export const scopeName = (t: Words, scope: Scope): string => t(scopeKeys[scope].label)
