// What a token or an app may do, as a few choices in plain words: a scope with limits. The form of a token and the consent page both offer them.

import { lowerScope, type Scope, type TokenLimits } from '../../identity/caller.ts'
import type { Choice } from '../parts/fields.ts'
import { scopeWords } from '../parts/scope-words.ts'

interface Preset extends Choice {
  readonly scope: Scope
  readonly limits: TokenLimits
  /** Offered for tokens alone. */
  readonly tokensOnly?: boolean
}

/** The value of a preset without limits is its scope. */
export const presets: readonly Preset[] = [
  { ...scopeWords.read, scope: 'read', limits: {} },
  {
    value: 'drafts',
    label: 'Drafts only',
    help: 'Can see everything and write drafts of pages and posts. Nothing it writes is public until you publish it.',
    scope: 'content',
    limits: { drafts_only: true },
  },
  {
    value: 'ask',
    label: 'Ask me first',
    help: 'Can see everything. Whatever it wants to change waits under Approvals until you agree.',
    scope: 'content',
    limits: { ask: ['*'] },
  },
  { ...scopeWords.content, scope: 'content', limits: {} },
  {
    value: 'backup',
    label: 'Off-site backup',
    help: 'Can make and download backups, for a copy on another machine. Backups have everything in them. It can neither delete nor restore one.',
    scope: 'admin',
    limits: { classes: ['SVC_Backup'] },
    tokensOnly: true,
  },
  { ...scopeWords.admin, scope: 'admin', limits: {} },
]

/** The presets that go up to a scope, for an app. */
export const presetsUpTo = (most: Scope): readonly Preset[] =>
  presets.filter(({ scope, tokensOnly }) => tokensOnly !== true && lowerScope(scope, most) === scope)

export const findPreset = (value: string): Preset | undefined => presets.find((one) => one.value === value)
