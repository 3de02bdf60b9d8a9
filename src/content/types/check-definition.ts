// Checks the definitions of types. `field-definition.ts` checks as much as a schema can express; this file checks the rest.

import { Failure, invalid } from '../../base/failure.ts'
import type { EntryType, EntryTypes } from './entry-types.ts'
import { type FieldDefinition, maxFields } from './field-definition.ts'
import { checkValue, kindRows, type ValueContext } from './field-kinds.ts'
import { checkText } from '../entries/entry-text.ts'

/** The longest definition of all fields of a type, in characters of JSON. */
const maxDefinitionChars = 24_000

/** Names that every object of JavaScript has. A template or a script could read the wrong thing under such a name. */
const reservedNames: ReadonlySet<string> = new Set(['constructor', 'prototype'])

/** Returns the stored form of definitions: well-formed texts, members in one order, and defaults as stored values. */
export async function checkFields(given: readonly FieldDefinition[], context: ValueContext): Promise<readonly FieldDefinition[]> {
  const fields = await checkEach(given, 'fields', context)
  if (JSON.stringify(fields).length > maxDefinitionChars)
    throw new Failure('too_large', `The definitions of the fields have more than ${maxDefinitionChars} characters.`, {
      field: 'fields',
      limit: maxDefinitionChars,
      hint: `A type has at most ${maxFields} fields. Shorten \`help\` and \`options\`.`,
    })
  return fields
}

async function checkEach(
  given: readonly FieldDefinition[],
  at: string,
  context: ValueContext,
): Promise<readonly FieldDefinition[]> {
  const names = new Set<string>()
  const fields: FieldDefinition[] = []
  for (const [place, field] of given.entries()) {
    const here = `${at}.${place}`
    if (names.has(field.name) || reservedNames.has(field.name))
      throw invalid(
        `${here}.name`,
        names.has(field.name) ? `There are two fields ${field.name}.` : `No field can be named ${field.name}.`,
        'another name',
      )
    names.add(field.name)
    fields.push(await checkField(field, here, context))
  }
  return fields
}

async function checkField(field: FieldDefinition, at: string, context: ValueContext): Promise<FieldDefinition> {
  const { name, kind, label, help, required, options, many, of, filter } = field
  checkMembers(field, at)
  const checked: FieldDefinition = {
    name,
    kind,
    ...(label === undefined ? {} : { label: checkText(label, `${at}.label`, 100) }),
    ...(help === undefined ? {} : { help: checkText(help, `${at}.help`, 500) }),
    ...(required === true ? { required } : {}),
    ...(options === undefined ? {} : { options: options.map((one, i) => checkText(one, `${at}.options.${i}`, 100)) }),
    ...(many === true ? { many } : {}),
    ...(of === undefined ? {} : { of: typeof of === 'string' ? of : await checkEach(of, `${at}.of`, context) }),
    ...(filter === true ? { filter } : {}),
  }
  if (field.default === undefined || field.default === null) return checked
  return { ...checked, default: await checkValue(checked, field.default, `${at}.default`, context) }
}

/** Checks the members that a kind needs, and those that only some kinds have. */
function checkMembers({ kind, options, many, of, filter }: FieldDefinition, at: string): void {
  if ((options !== undefined) !== (kind === 'choice'))
    throw invalid(
      `${at}.options`,
      kind === 'choice' ? 'A choice needs its options.' : `A field of the kind ${kind} has no options.`,
      kind === 'choice' ? 'a list of texts' : 'left out',
    )
  if (options && new Set(options).size < options.length)
    throw invalid(`${at}.options`, 'Two options are the same.', 'each option once')
  const takes = ofKinds[kind]
  if (takes === undefined ? of !== undefined : of === undefined ? takes.needed : Array.isArray(of) !== takes.isList)
    throw invalid(`${at}.of`, `A field of the kind ${kind} has ${takes?.words ?? 'no `of`'}.`, takes?.words ?? 'left out')
  if (filter === true && (kindRows[kind].list === undefined || many === true))
    throw invalid(
      `${at}.filter`,
      `Lists can't be filtered by a field ${many === true ? 'with `many`' : `of the kind ${kind}`}.`,
      'left out',
    )
}

/** The meaning of `of`, for the kinds that have it. */
const ofKinds: Partial<Record<FieldDefinition['kind'], { needed: boolean; isList: boolean; words: string }>> = {
  entry: { needed: false, isList: false, words: 'the slug of a type as `of`, or none' },
  term: { needed: true, isList: false, words: 'the slug of a taxonomy as `of`' },
  group: { needed: true, isList: true, words: 'a list of fields as `of`' },
}

/**
 * Checks that filter fields of the same name have the same kind in all types, because a list can have entries of several types.
 * @throws Failure `refused`, naming the other type
 */
export function checkOneKind(type: Pick<EntryType, 'slug' | 'fields'>, types: EntryTypes): void {
  for (const [place, { name, kind, filter }] of type.fields.entries()) {
    if (filter !== true) continue
    const other = types.all.find(
      ({ slug, fields }) =>
        slug !== type.slug && fields.some((one) => one.name === name && one.filter === true && one.kind !== kind),
    )
    if (!other) continue
    throw new Failure('refused', `Lists are filtered by a field ${name} of the type ${other.slug} already, of another kind.`, {
      field: `fields.${place}.filter`,
      rule: 'one kind for each field that lists are filtered by',
      hint: 'Give the field another name, the same kind, or leave out `filter`.',
    })
  }
}

const pathForm = /^(?:\/(?:\{type\}|[a-z0-9]+(?:[-_][a-z0-9]+)*)){0,4}\/\{slug\}$/

/** Checks the form of a pattern such as `/{type}/{slug}`. @throws Failure `invalid` */
export function checkPattern(path: string): void {
  if (pathForm.test(path)) return
  throw invalid(
    'path',
    `${JSON.stringify(path.slice(0, 100).toWellFormed())} is not a pattern of paths.`,
    'such as /{type}/{slug}, /shop/{slug} or /{slug}: slugs and `{type}`, at most four, and `{slug}` at the end',
  )
}
