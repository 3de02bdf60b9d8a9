// The names of fields in words, as the labels of their forms. The differences of all kinds of objects use them as headings.

import type { FieldInForm } from '../../content/types/entry-field.ts'
import type { EntryType } from '../../content/types/entry-types.ts'
import { fieldRows } from '../../content/types/field-lists.ts'
import type { MessageKey, Words } from '../words.ts'

/** A field of the editor that entries of every type have. */
export interface FormRow extends FieldInForm {
  /** The name that failures use: `seo.title`. */
  readonly name: string
  /** True if an empty form field means no value instead of an empty text. */
  readonly nullable: boolean
}

/** The rows in the order of the form. */
export const formRows: readonly FormRow[] = fieldRows
  .flatMap(([name, { form, members = {}, blank }]): readonly FormRow[] => [
    ...(form ? [{ name, nullable: blank === null, ...form }] : []),
    ...Object.entries(members).map(([member, row]) => ({ name: `${name}.${member}`, nullable: true, ...row })),
  ])
  .toSorted((a, b) => Number(a.last ?? false) - Number(b.last ?? false))

/**
 * The label and help of a field in the language of the page.
 * @param isPublic chooses the words for public entries, if the field has some
 */
export function wordsOfField(t: Words, { name, label, help, live }: FormRow, isPublic: boolean) {
  const [words, key] = isPublic && live ? [live, `field.${name}.live`] : [{ label, help }, `field.${name}`]
  const { help: said } = words
  return { label: t.twin(`${key}.label`) ?? words.label, help: said && (t.twin(`${key}.help`) ?? said) }
}

/** The labels of fields that entries don't have. Fields of different objects with the same name share a label. */
const labels: Readonly<Record<string, MessageKey>> = {
  path: 'structure.path',
  type: 'content.type',
  seo: 'content.search_engines',
  fields: 'structure.fields',
  alt: 'media.alt',
  caption: 'media.caption',
  filename: 'media.filename',
  folder: 'media.folder',
  focus: 'media.focus',
  name: 'structure.name',
  plural: 'structure.plural_name',
  taxonomies: 'structure.taxonomies',
  items: 'structure.items',
  location: 'structure.location',
  from: 'structure.from',
  to: 'structure.to',
  note: 'structure.note',
  description: 'content.description',
  email: 'people.email',
  role: 'people.role',
  bio: 'people.bio',
  picture: 'people.picture',
  limits: 'connections.limits',
  expires_at: 'connections.expires',
}

/**
 * Returns the name of a field in words: its label, or the label that the owner gave a field of a type. A field without a label
 * keeps its name.
 * @param name as answers use it: `seo.title`, `fields.price`, `staged.title`
 */
export function fieldName(t: Words, types: readonly Pick<EntryType, 'fields'>[], name: string): string {
  const plain = name.replace(/^staged\./, '')
  const row = formRows.find((one) => one.name === plain)
  if (row) return wordsOfField(t, row, true).label
  const key = Object.hasOwn(labels, plain) ? labels[plain] : undefined
  if (key) return t(key)
  const [group, own] = plain.split('.', 2)
  if (group !== 'fields') return plain
  const found = types.flatMap(({ fields }) => fields).find((field) => field.name === own)
  return found ? (found.label ?? found.name) : plain
}
