// Compiles `where` to SQL conditions. Column names come from the fields of the list; every value is a bound parameter.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { Failure, invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../call/action.ts'
import { containsText } from '../../store/search/contains-text.ts'
import { foldedSizes } from '../../store/search/folded-entries.ts'
import { type FoldedTable, holds } from './contains.ts'
import { always, type Condition, type Facts, never, type OnColumn, partOf, valueBeside, type WherePart } from './where-part.ts'
import { type FieldKind, filterable, getField, type ListField, type ListFields } from './field.ts'
import { readText, readValue, readValues, type Subject, wrongOperator, wrongValue } from './where-value.ts'

const maxDepth = 3
const maxConditions = 50
const maxPartLength = 200
/** The most characters that one `where` may read, which takes about one second of processor time. */
const maxCharactersRead = 250_000_000
const maxFreeLooks = 10

const orders = ['lt', 'lte', 'gt', 'gte'] as const
const bounds: Readonly<Partial<Record<Operator, 'lower' | 'upper'>>> = { lt: 'upper', lte: 'upper', gt: 'lower', gte: 'lower' }
const equalities = ['eq', 'ne', 'in', 'not_in', 'exists'] as const

/** The operators for each kind of field. */
const operatorsByKind: Record<FieldKind, readonly string[]> = {
  text: [...equalities, ...orders, 'has'],
  number: [...equalities, ...orders],
  time: [...equalities, ...orders],
  day: [...equalities, ...orders],
  moment: [...equalities, ...orders],
  choice: equalities,
  boolean: ['eq', 'ne', 'exists'],
}

/**
 * Returns the conditions of a `where`, which must all be true; none for `{}`.
 * @param table qualifies the columns, because a joined table may have columns of the same name
 * @throws Failure `invalid` for an unknown field or operator, a value of the wrong kind, or more than 50 conditions or 3 levels;
 * `refused` if its `has` conditions would read too much text
 */
export async function compileWhere(
  context: Context,
  table: string,
  fields: ListFields,
  where: unknown,
): Promise<readonly WherePart[]> {
  const compiler = new WhereCompiler(context, table, fields)
  const parts = await compiler.group(where, 'where', 1)
  await compiler.checkWork()
  return parts
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

  async group(where: unknown, at: string, depth: number): Promise<readonly WherePart[]> {
    if (!isObject(where)) throw wrongValue(at, 'an object of fields and what they must be', where)
    const parts: WherePart[] = []
    for (const [name, wanted] of Object.entries(where)) {
      const place = `${at}.${name}`.slice(0, 200)
      parts.push(...(name === 'any' ? [await this.#any(wanted, place, depth)] : await this.#field(name, wanted, place)))
    }
    return parts
  }

  async #any(choices: unknown, at: string, depth: number): Promise<WherePart> {
    if (!Array.isArray(choices) || choices.length === 0)
      throw wrongValue(at, 'a list of one or more objects like `where` itself', choices)
    if (depth >= maxDepth) throw invalid(at, `"any" may be nested ${maxDepth - 1} deep.`, 'less nesting')
    const groups: (readonly WherePart[])[] = []
    for (const [i, choice] of choices.entries()) {
      this.#count(at)
      groups.push(await this.group(choice, `${at}.${i}`, depth + 1))
    }
    const all = (parts: readonly WherePart[], form: 'plain' | 'hidden') => parts.map((part) => part[form])
    const either = (form: 'plain' | 'hidden') =>
      joined(
        sql` or `,
        groups.map((parts) => joined(sql` and `, all(parts, form))),
      )
    return { field: undefined, finds: 'none', excludes: false, never: false, plain: either('plain'), hidden: either('hidden') }
  }

  async #field(name: string, wanted: unknown, at: string): Promise<readonly WherePart[]> {
    const field = getField(this.#fields, this.#names, name, 'filter', at)
    const parts: WherePart[] = []
    for (const [operator, value] of Object.entries(isObject(wanted) ? wanted : { eq: wanted })) {
      this.#count(at)
      const allowed = field.resolve ? equalities : operatorsByKind[field.kind]
      if (!allowed.includes(operator)) throw wrongOperator(at, operator, allowed)
      const subject = {
        field,
        table: this.#table,
        at: isObject(wanted) ? `${at}.${operator}` : at,
        context: this.#context,
      }
      if (operator === 'has' && field.folded) this.#looks[field.folded] += 1
      if (field.among) {
        parts.push(await partAmong(subject, field.among, operator as Operator, value))
        continue
      }
      const test = await operators[operator as Operator](subject, value)
      parts.push(partOf(this.#table, field, factsOf(field, operator as Operator, value), test))
    }
    if (parts.length === 0) throw wrongValue(at, 'a value, or an object with an operator such as `{"eq": …}`', wanted)
    return parts
  }

  /**
   * Limits the text that all `has` conditions read together. Conditions on titles and paths are cheap, so up to ten need no check.
   */
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
    throw invalid(at, `A "where" may have ${maxConditions} conditions.`, 'fewer conditions; `in` takes a list of values')
  }
}

type Operator = (typeof orders)[number] | (typeof equalities)[number] | 'has'
type Compile = (subject: Subject, value: unknown) => Promise<OnColumn>

function factsOf({ beside }: ListField, operator: Operator, value: unknown): Facts {
  // Missing values have no rows in `entry_value`, so no index finds them.
  const asksForNull = (operator === 'eq' && value === null) || (operator === 'exists' && value === false)
  if (beside !== undefined && asksForNull) return { finds: 'none', excludes: false }
  const excludes = operator === 'ne' || operator === 'not_in' || (operator === 'exists' && value === true)
  if (operator === 'eq' || (operator === 'exists' && !excludes)) return { finds: 'one', excludes }
  if (operator === 'in') return { finds: 'list', excludes }
  const bound = bounds[operator]
  return bound ? { finds: 'range', excludes, bound } : { finds: 'none', excludes }
}

const compare =
  (comparison: RawBuilder<unknown>, edge: 'start' | 'end' = 'start'): Compile =>
  async (subject, value) => {
    const stored = await readValue(subject, value, edge)
    return (column) => sql<SqlBool>`${column} ${comparison} ${stored}`
  }

const operators: Record<Operator, Compile> = {
  async eq(subject, value) {
    if (value === null) return isNull(subject)
    const stored = await readValue(subject, value)
    return stored === null ? () => never : (column) => sql<SqlBool>`${column} = ${stored}`
  },
  async ne(subject, value) {
    if (value === null) return isNotNull(subject)
    const stored = await readValue(subject, value)
    return stored === null ? () => always : (column) => sql<SqlBool>`(${column} <> ${stored} or ${column} is null)`
  },
  async in(subject, value) {
    const stored = await readValues(subject, value)
    return stored.length === 0 ? () => never : (column) => sql<SqlBool>`${column} in (${sql.join(stored)})`
  },
  async not_in(subject, value) {
    const stored = await readValues(subject, value)
    return stored.length === 0
      ? () => always
      : (column) => sql<SqlBool>`(${column} not in (${sql.join(stored)}) or ${column} is null)`
  },
  async exists(subject, value) {
    if (typeof value !== 'boolean') throw wrongValue(subject.at, 'true or false', value)
    return value ? isNotNull(subject) : isNull(subject)
  },
  async has({ field, table, at, context }, value) {
    const part = readText(at, value)
    if (part.length > maxPartLength) throw wrongValue(at, `a text of at most ${maxPartLength} characters`, value)
    const condition =
      field.beside === undefined
        ? holds(context.db, table, field.column, field.folded, part)
        : containsText(context.db, valueBeside(table, field.column, field.beside), part)
    return () => condition
  },
  lt: compare(sql`<`),
  lte: compare(sql`<=`, 'end'),
  gt: compare(sql`>`, 'end'),
  gte: compare(sql`>=`),
}

/** The operators that negate another one. */
const opposites: Partial<Record<Operator, Operator>> = { ne: 'eq', not_in: 'in' }

/**
 * Makes a condition on a field whose values are rows of another table. At least one of the rows must meet it, or none of them for a
 * negated operator.
 */
async function partAmong(
  subject: Subject,
  { table, column }: NonNullable<ListField['among']>,
  operator: Operator,
  value: unknown,
): Promise<WherePart> {
  const opposite = opposites[operator]
  const isAny = operator === 'exists' || value === null
  const test = await operators[isAny ? 'exists' : (opposite ?? operator)](subject, isAny ? operator === 'exists' && value : value)
  const inner = isAny ? always : test(sql.ref(`${table}.${column}`))
  const isOpposite = opposite ? value !== null : isAny && (operator === 'eq' || value === false)
  const id = sql.ref(`${subject.table}.id`)
  const rows = sql`select entry_id from ${sql.table(table)} where ${inner}`
  const plain = isOpposite ? sql<SqlBool>`${id} not in (${rows})` : sql<SqlBool>`${id} in (${rows})`
  // A scalar subquery can't become a join, so this reads one row of the index for each row of the list.
  const one = sql`(select count(*) from (select 1 from ${sql.table(table)} where entry_id = ${id} and ${inner} limit 1) as counted)`
  const hidden = sql<SqlBool>`${one} = ${sql.lit(isOpposite ? 0 : 1)}`
  const { excludes, finds } = factsOf(subject.field, operator, value)
  return {
    field: subject.field,
    finds: isAny || isOpposite ? 'none' : finds,
    excludes,
    never: inner === never && !isOpposite,
    plain,
    hidden,
  }
}

const isNull = ({ field }: Subject): OnColumn => (field.nullable ? (column) => sql<SqlBool>`${column} is null` : () => never)
const isNotNull = ({ field }: Subject): OnColumn =>
  field.nullable ? (column) => sql<SqlBool>`${column} is not null` : () => always

const joined = (by: RawBuilder<unknown>, conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? always : sql<SqlBool>`(${sql.join(conditions, by)})`
