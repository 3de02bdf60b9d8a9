// The way from a declared form to its action: the input from the fields, by the schema of the action, and the call.

import type { TObject } from 'typebox'
import type { ActionHandle, AnswerOf, InputOf } from '../../actions/call/call-action.ts'
import { isSlug, numbered, slugify } from '../../content/entries/slug.ts'
import type { Reply } from '../../http/reply.ts'
import { type Fields, numberIn } from '../form.ts'
import { run } from '../page.ts'
import type { SignedIn } from '../visit.ts'
import { type DeclaredForm, fieldsIn, type DeclaredField, type FormRows } from './declared-form.ts'
import { sinceShown, type Work } from './post-form.ts'

/**
 * Reads the input of the action from its form. The schema decides what an empty field means: no value where the action takes null,
 * and nothing to say where the argument is optional. `dispatch` checks the result.
 */
export function inputFrom<I extends TObject>(
  form: { readonly action: { readonly input: I }; readonly rows: FormRows },
  fields: Fields,
): InputOf<I> {
  const { properties, required }: TObject = form.action.input
  const needed: readonly string[] = required ?? []
  const id = 'id' in properties && fields.get('id') !== '' ? [['id', fields.get('id')]] : []
  const given = fieldsIn(form.rows).flatMap((row) => {
    const isNeeded = row.required === true || needed.includes(row.name)
    const value = valueOf(row, properties[row.name] ?? {}, isNeeded, fields)
    return value === undefined ? [] : [[row.name, value]]
  })
  return Object.fromEntries([...id, ...given]) as InputOf<I>
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
}

function valueOf({ name, control }: DeclaredField, schema: Schema, isNeeded: boolean, fields: Fields): unknown {
  if (control === 'box') return fields.has(name)
  const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false
  if (control === 'boxes') return fields.all(name).length === 0 && isNullable ? null : fields.all(name)
  if (!fields.has(name)) return undefined
  const isExact = control === 'exact' || control === 'code'
  const text = isExact ? fields.get(name) : fields.get(name).trim()
  if (text === '') return isNullable ? null : isNeeded || isExact ? '' : undefined
  if (schema.type === 'integer' || schema.type === 'number') return numberIn(text)
  return schema.enum?.find((value) => String(value) === text) ?? text
}

/** Continues with the answer of an action. */
type Next<O extends TObject> = (visit: SignedIn, data: AnswerOf<O>, fields: Fields) => Reply | Promise<Reply>

/** Returns the function that takes a form: it runs an action with the input from the fields, and continues with the answer. */
export const doing =
  <I extends TObject, O extends TObject>(
    action: ActionHandle<I, O>,
    inputOf: (fields: Fields, visit: SignedIn) => InputOf<I>,
    next: Next<O>,
  ): Work =>
  async (visit, fields) => {
    const { data, failure } = await run(visit, action, inputOf(fields, visit), sinceShown(fields))
    return failure ?? next(visit, data, fields)
  }

/** The numbers that a made value gets until it is free: `news`, `news-2`, … */
const maxTries = 20

/**
 * The same for a declared form. A field that is made from another, such as a slug, is made here if it is empty.
 * @param more the arguments that are not in the form
 */
export const taking =
  <I extends TObject, O extends TObject>(
    form: DeclaredForm<I, O>,
    next: Next<O>,
    more: (visit: SignedIn) => object = () => ({}),
  ): Work =>
  async (visit, fields) => {
    const given = { ...inputFrom(form, fields), ...more(visit) }
    const row = fieldsIn(form.rows).find(({ name, madeFrom }) => madeFrom !== undefined && fields.get(name).trim() === '')
    const taken = row && form.taken ? await form.taken(visit) : []
    for (let number = 1; ; number++) {
      const made = row && madeValue(fields.get(row.madeFrom ?? ''), number)
      if (made !== undefined && taken.includes(made)) continue
      const input = row ? { ...given, [row.name]: made } : given
      const { data, failure } = await run(visit, form.action, input, sinceShown(fields))
      if (!failure) return next(visit, data, fields)
      if (!row || failure.detail.field !== row.name || number >= maxTries) return failure
    }
  }

/** Makes a slug of a name that a person typed. A slug stays as it is. */
export const toSlug = (text: string): string => (isSlug(text.trim()) ? text.trim() : slugify(text))

function madeValue(text: string, number: number): string {
  const slug = slugify(text) || 'item'
  return number === 1 ? slug : numbered(slug, number)
}

/**
 * The same for a form with a single button, whose hidden `id` names the object.
 * @param more the other arguments
 */
export const onItem = <I extends TObject, O extends TObject>(
  action: ActionHandle<I, O>,
  next: Next<O>,
  more: (fields: Fields) => object = () => ({}),
): Work => doing(action, (fields) => ({ ...itemIn(action.input, fields), ...more(fields) }) as unknown as InputOf<I>, next)

/** The object of a form, as the action takes it: an id, or a list with one. What can't be undone expects one object. */
const itemIn = ({ properties, required }: TObject, fields: Fields): object => ({
  ...('ids' in properties ? { ids: [fields.get('id')] } : { id: fields.get('id') }),
  ...(required?.includes('expect') && { expect: 1 }),
})
