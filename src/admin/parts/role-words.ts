// The roles of accounts in words.

import type { Choice } from './fields.ts'
import { scopeWords } from './scope-words.ts'

export const roleWords: Readonly<Record<string, Choice>> = {
  read: { ...scopeWords.read, label: 'Reader' },
  content: { ...scopeWords.content, label: 'Editor' },
  admin: { ...scopeWords.admin, label: 'Admin', help: 'Can do everything: settings, people, tokens, plugins, backups and apps.' },
}
