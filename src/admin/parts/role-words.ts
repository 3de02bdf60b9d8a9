// The roles of accounts in words.

import { type AccountRole, roles } from '../../identity/caller.ts'
import type { MessageKey, Words } from '../words.ts'
import type { Choice } from './fields.ts'

const keys: Readonly<Record<AccountRole, readonly [label: MessageKey, help: MessageKey]>> = {
  read: ['people.role_read', 'people.role_read_help'],
  contributor: ['people.role_contributor', 'people.role_contributor_help'],
  content: ['people.role_content', 'people.role_content_help'],
  admin: ['people.role_admin', 'people.role_admin_help'],
}

export const roleName = (t: Words, role: AccountRole): string => t(keys[role][0])

export const roleChoices = (t: Words): readonly Choice[] =>
  roles.map((role) => ({ value: role, label: t(keys[role][0]), help: t(keys[role][1]) }))
