// The fields for the limits of a token or an app, and their values.

import { html, type Html } from '../../doors/html.ts'
import type { TokenLimits } from '../../identity/caller.ts'
import type { Fields } from '../form.ts'
import { checkField, textField } from '../parts/fields.ts'
import type { Words } from '../words.ts'

export const limitNames = ['drafts_only', 'ask', 'addresses', 'per_minute'] as const

/** The fields that show their own faults. The top of the page shows the faults of the others. */
export const limitsWithFault: readonly string[] = ['addresses', 'per_minute']

interface LimitFields {
  readonly value: (name: string) => string | undefined
  readonly fault: (name: string) => string | undefined
}

export const limitFields = (t: Words, { value, fault }: LimitFields): Html =>
  html`${checkField({ name: 'drafts_only', label: t('connections.preset_drafts'), value: value('drafts_only') })}
    ${checkField({ name: 'ask', label: t('connections.preset_ask'), value: value('ask'), help: t('connections.ask_me_first_help') })}
    <div class="two">
      ${textField({ name: 'addresses', label: t('connections.allowed_addresses'), value: value('addresses'), placeholder: '203.0.113.7, 2001:db8::/48', fault: fault('addresses') })}
      ${textField({ name: 'per_minute', label: t('connections.calls_per_minute'), type: 'number', value: value('per_minute'), fault: fault('per_minute') })}
    </div>`

/** The values of the fields for these limits. */
export const limitValues = ({ drafts_only: drafts, ask, addresses, per_minute: calls }: TokenLimits) => ({
  drafts_only: drafts === true ? 'yes' : '',
  ask: ask?.includes('*') ? 'yes' : '',
  addresses: addresses?.join(', ') ?? '',
  per_minute: calls === undefined ? '' : String(calls),
})

/** Reads the limits from a form. A text that is not a number stays text, so that the action refuses it. */
export function readLimitFields(fields: Fields): Readonly<Record<string, unknown>> {
  const addresses = fields
    .get('addresses')
    .split(/[\s,]+/)
    .filter((item) => item !== '')
  const calls = fields.get('per_minute').trim()
  return {
    ...(fields.has('drafts_only') ? { drafts_only: true } : {}),
    ...(fields.has('ask') ? { ask: ['*'] } : {}),
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(calls === '' ? {} : { per_minute: /^\d+$/.test(calls) ? Number(calls) : calls }),
  }
}

/** Returns the field that a failure is about, such as `addresses` for `limits.addresses.0`. */
export const limitFieldOf = (field: string | undefined): string | undefined =>
  field?.replace(/^limits\./, '').replace(/\.\d+$/, '')
