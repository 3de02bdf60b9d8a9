// The entry that the editor shows: with the changes that wait for it, and with the paths of what it refers to.

import type { content } from '../../actions/classes/svc-content/index.ts'
import type { AnswerOf } from '../../actions/call-action.ts'
import { type FullEntry, fullEntry } from '../../content/entry-item.ts'
import type { EntryType, EntryTypes } from '../../content/entry-types.ts'
import { blankColumns } from '../../content/field-lists.ts'

type Translations = NonNullable<AnswerOf<typeof content.get.output, 'translations'>['item']['translations']>

export interface EditedEntry extends FullEntry {
  readonly translations: Translations
  /** The paths and names by which people know what the entry refers to, by id. */
  readonly refs: ReadonlyMap<string, string>
}

export const isNew = ({ id }: Pick<EditedEntry, 'id'>): boolean => id === ''
export const isLive = ({ status }: Pick<EditedEntry, 'status'>): boolean => status === 'published'

/** A new entry before anything was saved. */
export function blankEntry(
  types: EntryTypes,
  type: EntryType,
  given: { readonly locale?: string; readonly translation_of?: string } = {},
): EditedEntry {
  const columns = { id: '', type: type.slug, title: '', slug: '', path: null, created_at: 0, updated_at: 0, revision: 0 }
  const blank = fullEntry({ ...blankColumns, ...columns }, '', 0, { types, termOf: () => undefined })
  return {
    ...blank,
    ...given,
    updated_at: '',
    fields: Object.fromEntries(type.fields.map((field) => [field.name, field.default ?? null])),
    translations: [],
    refs: new Map(),
  }
}
