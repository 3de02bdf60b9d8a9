// Compiles `where` to an SQL condition. Column names come from the fields of the list; every value is a bound parameter.

import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import { Failure } from '../failure.ts'
import { isObject } from '../json.ts'
import { parseDate, parseRelativeDate } from '../settings/time-zone.ts'
import type { Context } from './action.ts'
import { foldedSizes } from '../store/folded-entries.ts'
import { type FoldedTable, holds } from './contains.ts'
import { type FieldKind, filterable, getField, type ListField, type ListFields, shown, type Stored } from './list-field.ts'

const maxDepth = 3
const maxConditions = 50
const maxValues = 100
const maxTextLength = 1000
const maxPartLength = 200
/** The most characters that one `where` may read. This takes about one second of processor time. */
const maxCharactersRead = 250_000_000
const maxFreeLooks = 10

type Condition = RawBuilder<SqlBool>

/** The field of a condition; `at` is its path in the input, for failures. */
interface Subject {
  readonly table: string
  readonly field: ListField
  readonly column: Expression<unknown>
  readonly at: string
  readonly context: Context
}

const orders = ['lt', 'lte', 'gt', 'gte'] as const
const equalities = ['eq', 'ne', 'in', 'not_in', 'exists'] as const

/** The operators of each kind of field. */
const operatorsByKind: Record<FieldKind, readonly string[]> = {
  text: [...equalities, ...orders, 'has'],
  number: [...equalities, ...orders],
  time: [...equalities, ...orders],
  choice: equalities,
  boolean: ['eq', 'ne', 'exists'],
}

/**
 * The condition for the rows that a `where` matches; true for `{}`.
 * @param table qualifies the columns, because a joined table may have columns of the same name
 * @throws Failure `invalid` for an unknown field or operator, a value of the wrong kind, or more than 50 conditions or 3 levels;
 * `refused` where its `has` conditions would read too much text
 */
export async function compileWhere(context: Context, table: string, fields: ListFields, where: unknown): Promise<Condition> {
  const compiler = new WhereCompiler(context, table, fields)
  const condition = await compiler.group(where, 'where', 1)
  await compiler.checkWork()
  return condition
}

/** Whether any condition in a `where`, at any depth, is on one of these fields. */
export function someCondition(where: unknown, isOne: (field: string, wanted: unknown) => boolean): boolean {
  if (!isObject(where)) return false
  return Object.entries(where).some(([name, wanted]) =>
    name === 'any' && Array.isArray(wanted) ? wanted.some((choice) => someCondition(choice, isOne)) : isOne(name, wanted),
  )
}

class WhereCompiler {
  readonly #context: Context
  readonly #table: string
  readonly #fields: ListFields
  readonly #names: readonly string[]
  #conditions = 0
  readonly #looks: Record<FoldedTable, number> = { entry_folded: 0, entry_folded_body: 0 }

  constructor(context: Context, table: string, fields: ListFields) {
    this.#context = context
    this.#table = table
    this.#fields = fields
    this.#names = filterable(fields)
  }

  async group(where: unknown, at: string, depth: number): Promise<Condition> {
    if (!isObject(where)) throw wrongValue(at, 'an object of fields and what they must be', where)
    const conditions: Condition[] = []
    for (const [name, wanted] of Object.entries(where)) {
      const place = `${at}.${name}`.slice(0, 200)
      conditions.push(...(name === 'any' ? [await this.#any(wanted, place, depth)] : await this.#field(name, wanted, place)))
    }
    return joined(conditions, 'and')
  }

  async #any(choices: unknown, at: string, depth: number): Promise<Condition> {
    if (!Array.isArray(choices) || choices.length === 0)
      throw wrongValue(at, 'a list of one or more objects like `where` itself', choices)
    if (depth >= maxDepth)
      throw new Failure('invalid', `"any" may be nested ${maxDepth - 1} deep.`, { field: at, expected: 'less nesting' })
    const conditions: Condition[] = []
    for (const [i, choice] of choices.entries()) {
      this.#count(at)
      conditions.push(await this.group(choice, `${at}.${i}`, depth + 1))
    }
    return joined(conditions, 'or')
  }

  async #field(name: string, wanted: unknown, at: string): Promise<readonly Condition[]> {
    const field = getField(this.#fields, this.#names, name, 'filter', at)
    const column = sql.ref(`${this.#table}.${field.column}`)
    const conditions: Condition[] = []
    for (const [operator, value] of Object.entries(isObject(wanted) ? wanted : { eq: wanted })) {
      this.#count(at)
      const allowed = field.resolve ? equalities : operatorsByKind[field.kind]
      if (!allowed.includes(operator)) throw wrongOperator(at, operator, allowed)
      const subject = {
        field,
        table: this.#table,
        column,
        at: isObject(wanted) ? `${at}.${operator}` : at,
        context: this.#context,
      }
      if (operator === 'has' && field.folded) this.#looks[field.folded] += 1
      conditions.push(await operators[operator as Operator](subject, value))
    }
    if (conditions.length === 0) throw wrongValue(at, 'a value, or an object with an operator such as `{"eq": …}`', wanted)
    return conditions
  }

  /** Limits the text that all `has` conditions read together. Conditions on titles and paths are cheap: up to ten need no check. */
  async checkWork(): Promise<void> {
    const { entry_folded: names, entry_folded_body: bodies } = this.#looks
    if (bodies === 0 && names <= maxFreeLooks) return
    const sizes = await foldedSizes(this.#context.db)
    if (names * sizes.names + bodies * sizes.bodies <= maxCharactersRead) return
    throw new Failure(
      'refused',
      `The "has" conditions of this "where" would read more than ${maxCharactersRead / 1e6} million characters.`,
      {
        field: 'where',
        rule: 'one `where` reads a bounded amount of text',
        hint: 'Use `search`, which looks for several words in title, excerpt and body at once, or fewer `has` conditions.',
      },
    )
  }

  #count(at: string): void {
    this.#conditions += 1
    if (this.#conditions <= maxConditions) return
    throw new Failure('invalid', `A "where" may have ${maxConditions} conditions.`, {
      field: at,
      expected: 'fewer conditions; `in` takes a list of values',
    })
  }
}

type Operator = (typeof orders)[number] | (typeof equalities)[number] | 'has'
type Compile = (subject: Subject, value: unknown) => Promise<Condition>

const compare =
  (comparison: RawBuilder<unknown>, edge: 'start' | 'end' = 'start'): Compile =>
  async (subject, value) =>
    sql<SqlBool>`${subject.column} ${comparison} ${await readValue(subject, value, edge)}`

const operators: Record<Operator, Compile> = {
  async eq(subject, value) {
    if (value === null) return sql<SqlBool>`${subject.column} is null`
    const stored = await readValue(subject, value)
    return stored === null ? never : sql<SqlBool>`${subject.column} = ${stored}`
  },
  async ne(subject, value) {
    if (value === null) return sql<SqlBool>`${subject.column} is not null`
    const stored = await readValue(subject, value)
    return stored === null ? always : sql<SqlBool>`(${subject.column} <> ${stored} or ${subject.column} is null)`
  },
  async in(subject, value) {
    const stored = await readValues(subject, value)
    return stored.length === 0 ? never : sql<SqlBool>`${subject.column} in (${sql.join(stored)})`
  },
  async not_in(subject, value) {
    const stored = await readValues(subject, value)
    return stored.length === 0
      ? always
      : sql<SqlBool>`(${subject.column} not in (${sql.join(stored)}) or ${subject.column} is null)`
  },
  async exists({ column, at }, value) {
    if (typeof value !== 'boolean') throw wrongValue(at, 'true or false', value)
    return value ? sql<SqlBool>`${column} is not null` : sql<SqlBool>`${column} is null`
  },
  async has({ field, table, at }, value) {
    const part = readText(at, value)
    if (part.length > maxPartLength) throw wrongValue(at, `a text of at most ${maxPartLength} characters`, value)
    return holds(table, field.column, field.folded, part)
  },
  lt: compare(sql`<`),
  lte: compare(sql`<=`, 'end'),
  gt: compare(sql`>`, 'end'),
  gte: compare(sql`>=`),
}

const never = sql<SqlBool>`1 = 0`
const always = sql<SqlBool>`1 = 1`

function joined(conditions: readonly Condition[], by: 'and' | 'or'): Condition {
  return conditions.length === 0 ? always : sql<SqlBool>`(${sql.join(conditions, by === 'and' ? sql` and ` : sql` or `)})`
}

async function readValues(subject: Subject, values: unknown): Promise<readonly Stored[]> {
  const { at } = subject
  if (!Array.isArray(values) || values.length === 0 || values.length > maxValues)
    throw wrongValue(at, `a list of 1 to ${maxValues} values`, values)
  const stored: Stored[] = []
  for (const [i, value] of values.entries()) {
    const one = await readValue({ ...subject, at: `${at}.${i}` }, value)
    if (one !== null) stored.push(one)
  }
  return stored
}

/** The stored form of a caller's value; null only for a name that was looked up and does not exist. */
async function readValue(
  { field, at, context }: Subject,
  value: unknown,
  edge: 'start' | 'end' = 'start',
): Promise<Stored | null> {
  if (field.resolve) return field.resolve(readText(at, value), context)
  return readers[field.kind](at, value, field, edge, context)
}

type Read = (at: string, value: unknown, field: ListField, edge: 'start' | 'end', context: Context) => Stored

const readers: Record<FieldKind, Read> = {
  text: readText,
  number(at, value) {
    const good = typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    if (!good) throw wrongValue(at, 'a number within ±(2^53 − 1)', value)
    return value
  },
  time(at, value, _field, edge, context) {
    const zone = context.site.settings.values.time_zone
    const time =
      typeof value === 'string' ? (parseDate(value, zone, edge) ?? parseRelativeDate(value, zone, context.now)) : undefined
    if (time === undefined)
      throw wrongValue(at, 'a date such as "2026-11-21", "2026-11-21T06:55", "2026-11-21T06:55:48Z", "-7d" or "-1mo"', value)
    return time
  },
  choice(at, value, { choices = [] }) {
    if (typeof value !== 'string' || !choices.includes(value))
      throw wrongValue(at, `one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`, value)
    return value
  },
  boolean(at, value) {
    if (typeof value !== 'boolean') throw wrongValue(at, 'true or false', value)
    return value ? 1 : 0
  },
}

function readText(at: string, value: unknown): string {
  const good = typeof value === 'string' && value.length <= maxTextLength && !value.includes('\0') && value.isWellFormed()
  if (!good) throw wrongValue(at, `a text of at most ${maxTextLength} characters, without NUL`, value)
  return value
}

function wrongValue(field: string, expected: string, value: unknown): Failure {
  return new Failure('invalid', `${shown(field)} must be ${expected}; it is ${shown(value)}.`, { field, expected })
}

function wrongOperator(field: string, operator: string, allowed: readonly string[]): Failure {
  return new Failure('invalid', `${shown(field)} can't be compared by ${shown(operator)}.`, { field, expected: allowed })
}
