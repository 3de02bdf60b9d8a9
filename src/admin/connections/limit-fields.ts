// The fields for the limits of a token or an app, and their values.

import type { TokenLimits } from '../../identity/caller.ts'
import { type Fields, numberIn, partsOf } from '../form.ts'
import type { DeclaredField, FormRows } from '../parts/declared-form.ts'

export const limitNames = ['drafts_only', 'ask', 'addresses', 'per_minute'] as const

const row = (name: (typeof limitNames)[number], about: Omit<DeclaredField, 'name'>): DeclaredField => ({
  ...about,
  name,
  at: `limits.${name}`,
})

export const limitRows: FormRows = [
  row('drafts_only', { control: 'box', label: 'connections.preset_drafts' }),
  row('ask', { control: 'box', label: 'connections.preset_ask', help: 'connections.ask_me_first_help' }),
  [
    row('addresses', { label: 'connections.allowed_addresses', placeholder: '203.0.113.7, 2001:db8::/48' }),
    row('per_minute', { control: 'number', label: 'connections.calls_per_minute' }),
  ],
]

/** The values of the fields for these limits. */
export const limitValues = ({ drafts_only: drafts, ask, addresses, per_minute: calls }: TokenLimits) => ({
  drafts_only: drafts === true ? 'yes' : '',
  ask: ask?.includes('*') ? 'yes' : '',
  addresses: addresses?.join(', ') ?? '',
  per_minute: calls === undefined ? '' : String(calls),
})

/** Reads the limits from a form. A text that is not a number stays text, so that the action refuses it. */
export function readLimitFields(fields: Fields): Readonly<Record<string, unknown>> {
  const addresses = partsOf(fields.get('addresses'), /[\s,]+/)
  const calls = fields.get('per_minute').trim()
  return {
    ...(fields.has('drafts_only') ? { drafts_only: true } : {}),
    ...(fields.has('ask') ? { ask: ['*'] } : {}),
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(calls === '' ? {} : { per_minute: numberIn(calls) }),
  }
}
