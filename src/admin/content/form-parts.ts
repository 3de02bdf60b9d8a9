// The shared state of the parts of the editor's form: the texts that are filled in, and their faults.

import type { EntryType } from '../../content/types/entry-types.ts'
import type { Failure } from '../../base/failure.ts'
import type { Choice } from '../parts/fields.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import type { EditedEntry } from './edited-entry.ts'
import type { ReferenceView } from './reference-field.ts'
import type { TermChoices } from './term-boxes.ts'

/** Texts by name. A name with several checkboxes has several texts. */
export type Values = ReadonlyMap<string, readonly string[]>

export const textIn = (values: Values, name: string): string => values.get(name)?.[0] ?? ''

export interface FormParts {
  readonly visit: SignedIn
  readonly item: EditedEntry
  readonly type: EntryType
  readonly values: Values
  readonly failure: Failure | undefined
  readonly choices: TermChoices
  readonly references: ReferenceView
  /** The accounts that may be the author. */
  readonly authors: readonly Choice[]
  /** The published fields that both sides changed. The next attempt keeps the values of the form. */
  readonly settles: readonly string[]
}

/** The fault of a field of the form. The failure of a member, such as `fields.sizes.2`, is shown at its field. */
export function faultOf(t: Words, { failure }: Pick<FormParts, 'failure'>, name: string): string | undefined {
  const field = failure?.detail.field
  const { expected } = failure?.detail ?? {}
  if (field === undefined || !(field === name || field.startsWith(`${name}.`))) return undefined
  const english = failure?.message ?? ''
  const fault = t.said(english)
  const isNew = typeof expected === 'string' && !english.includes(expected) && !/SVC_|`/.test(expected)
  return isNew && (t.language === 'en' || t.said(expected) !== expected)
    ? t('content.fault_expected', { fault, expected: t.said(expected) })
    : fault
}
