// The access of a token or an app as a few choices in plain words: a scope with limits. The form of a token and the consent page
// both offer them.

import { lowerScope, type Scope, type TokenLimits } from '../../identity/caller.ts'
import type { Choice } from '../parts/fields.ts'
import { type ChoiceKeys, scopeKeys } from '../parts/scope-words.ts'
import type { Words } from '../words.ts'

interface Preset extends ChoiceKeys {
  readonly value: string
  readonly scope: Scope
  readonly limits: TokenLimits
  /** Offered for tokens alone. */
  readonly tokensOnly?: boolean
}

/** The value of a preset without limits is its scope. */
export const presets: readonly Preset[] = [
  { ...scopeKeys.read, value: 'read', scope: 'read', limits: {} },
  {
    value: 'drafts',
    label: 'connections.preset_drafts',
    help: 'connections.preset_drafts_help',
    scope: 'content',
    limits: { drafts_only: true },
  },
  {
    value: 'ask',
    label: 'connections.preset_ask',
    help: 'connections.preset_ask_help',
    scope: 'content',
    limits: { ask: ['*'] },
  },
  { ...scopeKeys.content, value: 'content', scope: 'content', limits: {} },
  {
    value: 'backup',
    label: 'connections.preset_backup',
    help: 'connections.preset_backup_help',
    scope: 'admin',
    limits: { classes: ['SVC_Backup'] },
    tokensOnly: true,
  },
  { ...scopeKeys.admin, value: 'admin', scope: 'admin', limits: {} },
]

/** Returns the presets whose scope is at most `most`, for an app. */
export const presetsUpTo = (most: Scope): readonly Preset[] =>
  presets.filter(({ scope, tokensOnly }) => tokensOnly !== true && lowerScope(scope, most) === scope)

export const choicesOf = (t: Words, some: readonly Preset[]): readonly Choice[] =>
  some.map(({ value, label, help }) => ({ value, label: t(label), help: t(help) }))

export const findPreset = (value: string): Preset | undefined => presets.find((one) => one.value === value)
