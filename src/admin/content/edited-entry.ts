// The entry that the editor shows, with its waiting changes and the paths of its references.

import type { content } from '../../actions/content/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { type FullEntry, fullEntry } from '../../content/entries/entry-item.ts'
import type { EntryType, EntryTypes } from '../../content/types/entry-types.ts'
import { blankColumns } from '../../content/types/field-lists.ts'

type Translations = NonNullable<AnswerOf<typeof content.get.output, 'translations'>['item']['translations']>

export interface EditedEntry extends FullEntry {
  readonly translations: Translations
  /** The paths and names of the referenced objects, by id. */
  readonly refs: ReadonlyMap<string, string>
}

export const isNew = ({ id }: Pick<EditedEntry, 'id'>): boolean => id === ''
export const isLive = ({ status }: Pick<EditedEntry, 'status'>): boolean => status === 'published'

/** A new entry before its first save. */
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
