// What each scope lets an app or a token do, and what of it can be undone, in plain words.

import type { Scope } from '../identity/caller.ts'
import type { Choice } from './fields.ts'

export const scopeWords: Readonly<Record<Scope, Choice>> = {
  read: {
    value: 'read',
    label: 'Only read',
    help: 'It sees everything, drafts too, and changes nothing.',
  },
  content: {
    value: 'content',
    label: 'Read and write',
    help: 'It sees everything, and creates, changes, publishes and trashes pages and posts. Each of these changes can be undone. No settings, no accounts.',
  },
  admin: {
    value: 'admin',
    label: 'Run the whole site',
    help: 'It does all that you can: settings, accounts, tokens, plugins, backups and other apps too. Emptying the trash, or what a plugin does elsewhere, can’t be undone.',
  },
}
