// The values of an entry that the old site keeps beside its text, in the fields of its type here: by `map`, or by equal names. A
// value that its field does not take is named with the field and the reason, and the entry comes without it.

import { Failure, invalid } from '../../../base/failure.ts'
import { referenceResolvers } from '../../../content/entries/references.ts'
import type { EntryTypes } from '../../../content/types/entry-types.ts'
import type { FieldDefinition } from '../../../content/types/field-definition.ts'
import { checkValue, type ValueContext } from '../../../content/types/field-kinds.ts'
import { readAddress } from '../../../imports/behind/addresses.ts'
import type { Book } from '../../../imports/behind/book.ts'
import type { Items } from '../../../imports/behind/items.ts'
import type { Report } from '../../../imports/behind/report.ts'
import type { ImportFormat } from '../../../imports/import-format.ts'
import type { ImportEntry, ImportValue } from '../../../imports/stream.ts'
import type { Db } from '../../../store/core/database.ts'
import type { ImportOptions } from '../options.ts'

export interface FieldParts {
  readonly db: Db
  readonly types: EntryTypes
  readonly options: ImportOptions
  readonly book: Book
  readonly items: Items
  /** The zone of times without an offset. */
  readonly zone: string
  readonly report: Report
}

/** Returns the values of an entry of a type by the names of its fields. The report takes those that no field takes. */
export async function fieldValuesOf(parts: FieldParts, entry: ImportEntry, type: string): Promise<Record<string, unknown>> {
  const { types, options, report } = parts
  const { fields } = types.of(type)
  const values: Record<string, unknown> = {}
  const where = entry.addresses[0] ?? entry.title
  for (const [name, value] of Object.entries(entry.fields ?? {})) {
    const wanted = options.map?.[name] ?? name
    const field = fields.find((one) => one.name === wanted) ?? fields.find((one) => one.name === wanted.toLowerCase())
    if (field === undefined) {
      report.loss('meta', name, 'no field of the site takes it', where)
      continue
    }
    try {
      values[field.name] = await checkValue(field, toKind(field, value), `fields.${field.name}`, contextOf(parts))
      report.count('fields')
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      report.loss('field', `${name} → ${field.name}`, error.message, where)
    }
  }
  return values
}

/** References lead to what came with the import, or to what the site has. */
function contextOf({ db, book, items, zone }: FieldParts): ValueContext {
  return {
    timeZone: zone,
    async findReference(kind, ref, of) {
      const read = readAddress(ref, book.site)
      const file = kind === 'media' && read ? items.find('media', book.fileAt(read) ?? ref) : undefined
      const path = read?.isOwn ? book.pathOf(ref) : undefined
      return file?.object_id ?? referenceResolvers[kind](db, path ?? ref, of)
    },
  }
}

/** Returns a value as its field takes it: texts of files are numbers, days and lists, too. */
function toKind(field: FieldDefinition, value: ImportValue): unknown {
  if (field.many !== true) return Array.isArray(value) ? oneOf(field, value.join(', ')) : oneOf(field, value)
  const list = Array.isArray(value) ? value : String(value).split(/[;|\n]/)
  return list.map((one) => oneOf(field, typeof one === 'string' ? one.trim() : one)).filter((one) => one !== '')
}

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, '1': true, false: false, no: false, '0': false }

function oneOf({ kind }: FieldDefinition, value: ImportValue): unknown {
  if (typeof value !== 'string') return kind === 'number' || kind === 'boolean' || kind === 'json' ? value : String(value)
  return fromText[kind]?.(value.trim()) ?? value
}

const fromText: Readonly<Partial<Record<FieldDefinition['kind'], (text: string) => unknown>>> = {
  number: (text) => (/^[+-]?\d{1,15}(?:[.,]\d{1,15})?$/.test(text) ? Number(text.replace(',', '.')) : text),
  boolean: (text) => truths[text.toLowerCase()],
  date: (text) => (/^\d{4}-\d\d-\d\d[T ]/.test(text) ? text.slice(0, 10) : text),
  json: fromJson,
  group: fromJson,
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * Checks that each target of a map exists: a part of an entry, where the format has columns, or a field of a type of the import.
 * @param used the types here that entries of the import have
 * @throws Failure `invalid`, naming the target
 */
export function checkMap(
  { map = {} }: ImportOptions,
  { parts = [] }: Pick<ImportFormat, 'parts'>,
  { types, used }: { readonly types: EntryTypes; readonly used: readonly string[] },
): void {
  const fields = used.flatMap((slug) => types.of(slug).fields.map(({ name }) => name))
  const known = new Set([...parts, ...fields])
  for (const [from, to] of Object.entries(map)) {
    if (/^(?:type|taxonomy):/.test(from) || known.has(to)) continue
    const names = [...known].join(', ')
    throw invalid(
      `map.${from}`.slice(0, 200).toWellFormed(),
      `No type of this import (${used.join(', ')}) has a field ${JSON.stringify(to)}.`,
      names === '' ? 'a field of the type, which SVC_Types.update adds' : `one of ${names}`,
    )
  }
}
