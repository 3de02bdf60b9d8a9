// Reads the entry that the editor shows.

import { content } from '../../actions/content/index.ts'
import { type FieldName, fieldRows } from '../../content/types/field-lists.ts'
import { get } from '../page.ts'
import type { SignedIn } from '../visit.ts'
import type { EditedEntry } from './edited-entry.ts'
import { formFields } from './form-fields.ts'
import { namedReference } from './references.ts'

/** The names that are read in addition to the fields of the form. */
const others = [
  'id',
  'type',
  'path',
  'url',
  'updated_at',
  'revision',
  'fields',
  'staged',
  'has_password',
] as const satisfies readonly FieldName[]

/** The body is read separately, because it may be longer than other answers. */
const isShort = (name: string): boolean => name !== 'body'

/** @throws Failure `not_found` */
export async function readEntry(visit: SignedIn, id: string): Promise<EditedEntry> {
  const inForm = fieldRows.flatMap(([name, { form, members }]) => ((form ?? members) ? [name] : []))
  const select = [...others, ...inForm.filter(isShort), 'translations'] as unknown as readonly ['translations']
  const { item } = await get(visit, content.get, { id, stage: true }, { select })
  const text = await get(visit, content.get, { id, stage: true }, { select: ['body'] }, { longAnswer: true })
  const entry = { ...item, body: text.item.body ?? '', refs: new Map() } as unknown as EditedEntry
  return { ...entry, refs: await refsOf(visit, entry) }
}

async function refsOf(visit: SignedIn, entry: EditedEntry): Promise<ReadonlyMap<string, string>> {
  const named = formFields(visit.site.types.current.of(entry.type)).flatMap(({ reference, idsIn }) =>
    reference
      ? idsIn(entry).map(async (id) => [id, (await namedReference(visit, reference.kind, id))?.value ?? id] as const)
      : [],
  )
  return new Map(await Promise.all(named))
}
