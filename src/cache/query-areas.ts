// A database that reports the areas that its queries read. The areas of a query are unknown if this file doesn't understand the
// whole query, or if the query was compiled elsewhere. Any change may then concern it.

import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  OperatorNode,
  OrNode,
  ParensNode,
  PrimitiveValueListNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  ValueListNode,
  ValueNode,
} from 'kysely'
import type { AliasNode, IdentifierNode, KyselyPlugin, OperationNode, RawNode } from 'kysely'
import { isObject } from '../base/json.ts'
import type { Db } from '../store/core/database.ts'
import { areasRead, type ColumnValue, type PageArea, type ValuesOf } from '../store/change/page-areas.ts'

/** The most values with which a query may compare a column. Beyond this number, the condition is ignored. */
const maxValues = 200

/** Wraps a database. @param onRead called before each query with the areas that it reads, or undefined if they aren't known */
export function watchedDb<D extends Db>(db: D, onRead: (areas: readonly PageArea[] | undefined) => void): D {
  const seen = new WeakSet<object>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      seen.add(queryId)
      onRead(areasOfQuery(node))
      return node
    },
    // A query that was compiled elsewhere did not go through `transformQuery`.
    transformResult({ result, queryId }) {
      if (!seen.has(queryId)) onRead(undefined)
      return Promise.resolve(result)
    },
  }
  return db.withPlugin(plugin) as D
}

/** Returns the areas that a query reads; undefined if they aren't known. */
function areasOfQuery(query: OperationNode): readonly PageArea[] | undefined {
  const scopes: SelectQueryNode[] = []
  const columns = new Set<string>()
  let all = false
  let known = SelectQueryNode.is(query)
  visit(query, (node) => {
    if (SelectQueryNode.is(node)) scopes.push(node)
    else if (ColumnNode.is(node)) columns.add(node.column.name)
    else if (node.kind === 'SelectAllNode') all = true
    else if (node.kind === 'WithNode' || (node.kind === 'RawNode' && !isDirection(node as RawNode))) known = false
  })
  const areas = new Set<PageArea>()
  for (const scope of scopes) {
    const found = known ? areasOfScope(scope, all ? undefined : columns) : undefined
    if (!found) return undefined
    for (const area of found) areas.add(area)
  }
  return known ? [...areas] : undefined
}

/** True for the direction of an order, which Kysely writes as raw text. */
const isDirection = ({ sqlFragments, parameters }: RawNode): boolean =>
  parameters.length === 0 && /^(?:asc|desc)$/.test(sqlFragments.join(''))

function visit(part: unknown, take: (node: OperationNode) => void): void {
  if (Array.isArray(part)) for (const one of part) visit(one, take)
  if (!isObject(part) || typeof part['kind'] !== 'string') return
  take(part as unknown as OperationNode)
  for (const one of Object.values(part)) visit(one, take)
}

/** Returns the areas of the tables in one `select`, narrowed by its `where`. */
function areasOfScope(
  { from, joins = [], where }: SelectQueryNode,
  columns: ReadonlySet<string> | undefined,
): readonly PageArea[] | undefined {
  const parts = [
    ...(from?.froms ?? []).map((node) => ({ node, joined: 'InnerJoin' })),
    ...joins.map((join) => ({ node: join.table, joined: join.joinType as string })),
  ]
  const inner = parts.every(({ joined }) => joined === 'InnerJoin' || joined === 'LeftJoin')
  const areas: PageArea[] = []
  for (const { node, joined } of parts) {
    const source = sourceOf(node)
    if (source === 'subquery') continue
    if (!source) return undefined
    const condition = inner && joined === 'InnerJoin' ? where?.where : undefined
    const isOwn = ({ table }: ReferenceNode) => (table ? table.table.identifier.name === source.name : parts.length === 1)
    const valuesOf: ValuesOf = (wanted) => condition && valuesIn(condition, wanted, isOwn)
    const found = areasRead({ table: source.table, columns, valuesOf })
    if (!found) return undefined
    areas.push(...found)
  }
  return areas
}

/** Returns the table of a `from` or `join`, and its name in the query. */
function sourceOf(node: OperationNode): { readonly table: string; readonly name: string } | 'subquery' | undefined {
  if (TableNode.is(node)) {
    const { name } = node.table.identifier
    return { table: name, name }
  }
  if (SelectQueryNode.is(node)) return 'subquery'
  if (node.kind !== 'AliasNode') return undefined
  const { node: inner, alias } = node as AliasNode
  const found = sourceOf(inner)
  return typeof found === 'object' ? { table: found.table, name: (alias as IdentifierNode).name } : found
}

/** Returns values of which each row that meets a condition has at least one; undefined if a row may have none of them. */
function valuesIn(
  condition: OperationNode,
  columns: readonly string[],
  isOwn: (reference: ReferenceNode) => boolean,
): readonly ColumnValue[] | undefined {
  const within = (part: OperationNode) => valuesIn(part, columns, isOwn)
  if (ParensNode.is(condition)) return within(condition.node)
  if (AndNode.is(condition)) return preferred(columns, within(condition.left), within(condition.right))
  if (OrNode.is(condition)) {
    const [left, right] = [within(condition.left), within(condition.right)]
    return left && right && [...left, ...right]
  }
  if (!BinaryOperationNode.is(condition)) return undefined
  const { leftOperand, operator, rightOperand } = condition
  const { reference, others } = referenceIn(leftOperand)
  if (!reference || !ColumnNode.is(reference.column) || !isOwn(reference)) return undefined
  const { name } = reference.column.column
  if (!columns.includes(name) || !OperatorNode.is(operator) || !['=', 'in'].includes(operator.operator)) return undefined
  const values = constantsOf(rightOperand)
  if (others.some((other) => values?.includes(other))) return undefined
  return values && values.length <= maxValues ? values.map((value) => [name, value] as const) : undefined
}

/** Returns the column of `status` or `coalesce(status, '')`, and the values that stand for a missing one. */
function referenceIn(node: OperationNode): { readonly reference?: ReferenceNode; readonly others: readonly unknown[] } {
  if (ReferenceNode.is(node)) return { reference: node, others: [] }
  if (!FunctionNode.is(node) || node.func !== 'coalesce') return { others: [] }
  const [first, ...rest] = node.arguments
  return first && ReferenceNode.is(first) && rest.every((one) => ValueNode.is(one))
    ? { reference: first, others: rest.map(({ value }) => value) }
    : { others: [] }
}

/** Chooses between two lists of values: the one whose columns come earlier in `columns`. */
function preferred(
  columns: readonly string[],
  one: readonly ColumnValue[] | undefined,
  other: readonly ColumnValue[] | undefined,
): readonly ColumnValue[] | undefined {
  if (!one || !other) return one ?? other
  const rank = (values: readonly ColumnValue[]) => Math.max(-1, ...values.map(([column]) => columns.indexOf(column)))
  return rank(one) <= rank(other) ? one : other
}

/** Returns the constants that a column is compared with. NULL equals nothing. */
function constantsOf(node: OperationNode): readonly unknown[] | undefined {
  if (ValueNode.is(node)) return [node.value]
  if (PrimitiveValueListNode.is(node)) return node.values
  if (!ValueListNode.is(node)) return undefined
  return node.values.every(ValueNode.is) ? node.values.map((one) => one.value) : undefined
}
