// The signs of spam. Nothing is dropped: it is flagged with the reason and kept for thirty days, and the sender sees the same
// thanks.

import type { AskedField, FormValues } from './form-fields.ts'

/** A form as it came. */
export interface LookedAt {
  readonly fields: readonly AskedField[]
  readonly values: FormValues
  /** The text of the field that people don't see. */
  readonly hidden: string
  /** The age of the page in milliseconds; undefined for a call that needs no page. */
  readonly ageMs: number | undefined
  /** True if the same network address has sent many in the last minutes. */
  readonly isFrequent: boolean
}

const minimumMs = 3000
const maxLinks = 3

const textsOf = ({ fields, values }: LookedAt): readonly string[] =>
  fields.filter(({ kind }) => kind === 'text' || kind === 'lines').map(({ name }) => values[name] ?? '')

/** The rules in the order in which a reason is given. */
const rules: readonly { readonly reason: string; readonly isIn: (sent: LookedAt) => boolean }[] = [
  { reason: 'hidden field', isIn: ({ hidden }) => hidden !== '' },
  { reason: 'too fast', isIn: ({ ageMs }) => ageMs !== undefined && ageMs < minimumMs },
  { reason: 'many from one address', isIn: ({ isFrequent }) => isFrequent },
  { reason: 'links', isIn: (sent) => textsOf(sent).reduce((sum, text) => sum + linksIn(text), 0) > maxLinks },
  { reason: 'only a link', isIn: (sent) => textsOf(sent).some((text) => /^\s*https?:\/\/\S+\s*$/i.test(text)) },
]

const linksIn = (text: string): number => (text.match(/https?:\/\/|\[url[=\]]|<a\s/gi) ?? []).length

/** Returns the reason why a form looks like spam; null if it doesn't. */
export const spamReason = (sent: LookedAt): string | null => rules.find(({ isIn }) => isIn(sent))?.reason ?? null

/** The names that such a field may have. */
export const trapNames = ['homepage', 'company', 'fax', 'position', 'second_homepage'] as const

/** The name of the field that people don't see: a plausible one that the form has not. */
export const hiddenName = (fields: readonly AskedField[]): string =>
  trapNames.find((name) => !fields.some((field) => field.name === name)) ?? 'second_homepage'
