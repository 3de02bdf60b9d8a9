// The roles of accounts in words.

import { type AccountRole, roles } from '../../identity/caller.ts'
import type { Choice } from './fields.ts'

export const roleWords: Readonly<Record<AccountRole, Choice>> = {
  read: { value: 'read', label: 'Reader', help: 'Sees everything, including drafts, and changes nothing.' },
  contributor: {
    value: 'contributor',
    label: 'Contributor',
    help: 'Sees everything, and writes drafts of entries of their own. Somebody else publishes them.',
  },
  content: { value: 'content', label: 'Editor', help: 'Writes and publishes everything. No access to settings or people.' },
  admin: { value: 'admin', label: 'Admin', help: 'Can do everything: settings, people, tokens, plugins, backups and apps.' },
}

export const roleChoices: readonly Choice[] = roles.map((role) => roleWords[role])
