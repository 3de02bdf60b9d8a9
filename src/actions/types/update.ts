import { Type } from 'typebox'
import { columnsOfType, ownPart } from '../../content/types/entry-type-reader.ts'
import { basePathOf, type OwnPart, typeOf } from '../../content/types/entry-types.ts'
import type { FieldDefinition } from '../../content/types/field-definition.ts'
import { renamedRules } from '../../content/types/list-rules.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { type Renames, rewriteEntries } from './entries.ts'
import { getType, typeAnswer, typeIdProperty, typeItem } from './item.ts'
import { changedDefinition, checkPath, definitionProperties, type GivenDefinition } from './writing.ts'
import { closed } from '../../base/schema.ts'

export const update = action('SVC_Types.update', {
  title: 'Change [the type {title}|a type]',
  summary: 'Changes a type of entries: its name, its fields, its path.',
  did: 'changed [the type {title}|a type]',
  object: { kind: 'entry_type', page: 'type' },
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  revisioned: true,
  input: closed({
    id: typeIdProperty,
    ...definitionProperties,
    rename: Type.Optional(
      Type.Record(Type.String(), Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 40 }), {
        description: 'New names of fields by their old ones. The values move along. `fields`, if given, has the new names.',
        minProperties: 1,
        maxProperties: 60,
      }),
    ),
  }),
  output: Type.Object({
    item: typeItem,
    changed: Type.Array(Type.String(), { description: 'Members that changed.' }),
    affected: Type.Integer({ description: 'The number of entries that changed with the type.' }),
    ...writeProperties,
  }),
  examples: [
    {
      title: 'A field for posts',
      input: { id: 'post', fields: [{ name: 'source', kind: 'url', label: 'Where it appeared first' }] },
    },
  ],
  async run(context, { id, rename = {}, ...given }) {
    const { change, db, now } = context
    const row = await getType(db, id)
    const before = ownPart(row)
    const renamed = { ...before, fields: renamedFields(before, rename), list: renamedRules(before.list, rename) }
    const definition = await changedDefinition(context, renamed, given as GivenDefinition)
    checkKinds(renamed.fields, definition.fields)
    checkNewlyRequired(renamed.fields, definition.fields)
    const moved = definition.path !== before.path
    if (moved) await checkPath(context, definition)
    const after = { ...definition, dropped: droppedFields(before, renamed, definition, now) }
    const { row: written, changed } = await change.update('entry_type', row, columnsOfType(after))
    const required = after.fields.filter(
      (field) => field.required === true && !renamed.fields.some((one) => one.name === field.name && one.required === true),
    )
    const affected = await rewriteEntries(context, typeOf(after), {
      renames: Object.entries(rename),
      filled: required,
      base: moved ? basePathOf(typeOf(after)) : undefined,
    })
    return { item: await typeAnswer(context, written), changed: [...changed], affected, warnings: [], activity_id: null }
  },
})

/** Returns the fields with their new names. @throws Failure `invalid`, `exists` */
function renamedFields({ fields, slug }: OwnPart, rename: Readonly<Record<string, string>>): readonly FieldDefinition[] {
  const renames: Renames = Object.entries(rename)
  for (const [old, name] of renames) {
    const field = `rename.${old}`.slice(0, 200).toWellFormed()
    if (!fields.some((one) => one.name === old))
      throw invalid(
        field,
        `The type ${slug} has no field ${JSON.stringify(old.slice(0, 80).toWellFormed())}.`,
        `of ${fields.map((one) => one.name).join(', ')}`,
      )
    const isTaken = fields.some((one) => one.name === name && !Object.hasOwn(rename, name))
    if (isTaken || renames.filter(([, other]) => other === name).length > 1)
      throw new Failure('exists', `The type ${slug} would have two fields ${name}.`, { field, by: name })
  }
  return fields.map((field) => (Object.hasOwn(rename, field.name) ? { ...field, name: rename[field.name] ?? field.name } : field))
}

/** Checks that fields do not change their kind, because entries have values of it. @throws Failure `refused` */
function checkKinds(before: readonly FieldDefinition[], after: readonly FieldDefinition[]): void {
  for (const [place, { name, kind, many }] of after.entries()) {
    const earlier = before.find((one) => one.name === name)
    if (!earlier || (earlier.kind === kind && (earlier.many === true) === (many === true))) continue
    throw new Failure('refused', `The field ${name} is ${earlier.many ? 'a list of ' : ''}${earlier.kind}, and stays that.`, {
      field: `fields.${place}.${earlier.kind === kind ? 'many' : 'kind'}`,
      rule: 'a field keeps its kind',
      hint: 'Add a field with another name, move the values, and remove this one.',
    })
  }
}

/** @throws Failure `invalid` for a field that becomes required without a default for existing entries */
function checkNewlyRequired(before: readonly FieldDefinition[], after: readonly FieldDefinition[]): void {
  const place = after.findIndex(
    (field) =>
      field.required === true &&
      (field.default === undefined || field.default === null) &&
      !before.some(({ name, required }) => name === field.name && required === true),
  )
  if (place < 0) return
  throw invalid(
    `fields.${place}.default`,
    `The field ${after[place]?.name} becomes required, so it needs a default.`,
    'the value that entries get that have none',
  )
}

/** Returns the removed fields whose values are still stored. */
function droppedFields(before: OwnPart, renamed: OwnPart, after: OwnPart, now: number): OwnPart['dropped'] {
  const present = new Set(after.fields.map(({ name }) => name))
  const gone = renamed.fields.filter(({ name }) => !present.has(name)).map(({ name }) => ({ name, at: now }))
  const again = new Set([...present, ...gone.map(({ name }) => name)])
  return [...before.dropped.filter(({ name }) => !again.has(name)), ...gone].slice(-maxDropped)
}

/** The most removed fields of a type. It bounds the list if an owner adds and removes fields many times. */
const maxDropped = 200
