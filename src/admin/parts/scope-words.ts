// What each scope allows an app or a token to do, and which changes can be undone.

import type { Scope } from '../../identity/caller.ts'
import type { Choice } from './fields.ts'

export const scopeWords: Readonly<Record<Scope, Choice>> = {
  read: {
    value: 'read',
    label: 'Read only',
    help: 'Can see everything, including drafts, and change nothing.',
  },
  content: {
    value: 'content',
    label: 'Read and write',
    help: 'Can see everything, and create, change, publish and trash pages and posts. Each of these changes can be undone. No access to settings or accounts.',
  },
  admin: {
    value: 'admin',
    label: 'Run the whole site',
    help: 'Can do everything that you can: settings, accounts, tokens, plugins, backups and other apps. Emptying the trash, and what a plugin does elsewhere, cannot be undone.',
  },
}
