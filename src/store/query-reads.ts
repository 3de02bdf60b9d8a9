// The reads of a query: of each table the columns that it names, and a test of the rows that it can find. A change of any other row
// or column leaves its result as it is. A query that is not understood as a whole has no reads: whoever asked must expect that any
// change concerns it.

import { BinaryOperationNode, ColumnNode, ReferenceNode, SelectQueryNode, TableNode } from 'kysely'
import type { AliasNode, IdentifierNode, JoinNode, OperationNode, RawNode } from 'kysely'
import { isObject } from '../json.ts'
import { both, type KnownRow, type OwnColumn, type RowTest, rowTestOf } from './row-test.ts'

/** Rows of a table on which a value depends. */
export interface TableRead {
  readonly table: string
  /** The columns on which it depends; undefined for all. */
  readonly columns: ReadonlySet<string> | undefined
  /** False for a row on which it certainly does not depend; absent for any row. */
  readonly mayRead?: RowTest | undefined
}

/** A table whose rows follow from the rows of other tables, and from nothing else. */
export interface DerivedTable {
  readonly from: string
  /** The columns from which the rows follow; undefined for all. */
  readonly columns?: ReadonlySet<string>
  /** The column with the key of the other table, in which the rows of a join are of one row there. */
  readonly key?: string
  /** The rows that follow from a row; undefined if it isn't known. */
  readonly rows?: (row: KnownRow) => readonly KnownRow[] | undefined
  /** Other rows that these depend on. */
  readonly also?: readonly TableRead[]
}

/** The tables whose rows are known by their changes (true), and those that follow from others. */
export type KnownTables = (table: string) => true | DerivedTable | undefined

/** Returns the reads of a query; undefined if they aren't known. */
export function readsOf(query: OperationNode, tables: KnownTables): readonly TableRead[] | undefined {
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
  if (!known) return undefined
  const reads: TableRead[] = []
  for (const scope of scopes) {
    const found = readsOfScope(scope, all ? undefined : columns, tables)
    if (!found) return undefined
    reads.push(...found)
  }
  return joined(reads)
}

/** One read in place of those of the same columns of a table, so that a union of many parts is noted as one query. */
function joined(reads: readonly TableRead[]): readonly TableRead[] {
  const groups = new Map<string, Map<TableRead['columns'], TableRead[]>>()
  for (const read of reads) {
    const byColumns = groups.get(read.table) ?? new Map<TableRead['columns'], TableRead[]>()
    groups.set(read.table, byColumns.set(read.columns, [...(byColumns.get(read.columns) ?? []), read]))
  }
  return [...groups].flatMap(([table, byColumns]) =>
    [...byColumns].map(([columns, same]) => {
      const tests = same.flatMap(({ mayRead }) => (mayRead ? [mayRead] : []))
      const mayRead = tests.length < same.length ? undefined : (row: KnownRow) => tests.some((test) => test(row))
      return { table, columns, mayRead }
    }),
  )
}

/** The direction of an order, which Kysely writes as a text. */
const isDirection = ({ sqlFragments, parameters }: RawNode): boolean =>
  parameters.length === 0 && /^(?:asc|desc)$/.test(sqlFragments.join(''))

function visit(part: unknown, take: (node: OperationNode) => void): void {
  if (Array.isArray(part)) for (const one of part) visit(one, take)
  if (!isObject(part) || typeof part['kind'] !== 'string') return
  take(part as unknown as OperationNode)
  for (const one of Object.values(part)) visit(one, take)
}

/** A table of one `select`. */
interface Source {
  readonly table: string
  readonly name: string
  readonly join: JoinNode | undefined
}

function readsOfScope(
  scope: SelectQueryNode,
  columns: ReadonlySet<string> | undefined,
  tables: KnownTables,
): readonly TableRead[] | undefined {
  const { from, joins = [], where } = scope
  const parts = [
    ...(from?.froms ?? []).map((node) => ({ node, join: undefined })),
    ...joins.map((join) => ({ node: join.table, join })),
  ]
  const sources: Source[] = []
  for (const { node, join } of parts) {
    const found = tableOf(node)
    if (found === 'subquery') continue
    if (!found) return undefined
    sources.push({ ...found, join })
  }
  const outer = joins.some(({ joinType }) => joinType !== 'InnerJoin' && joinType !== 'LeftJoin')
  const testOf = ({ name, join }: Source): RowTest | undefined => {
    if (!where || outer || join?.joinType === 'LeftJoin') return undefined
    const own: OwnColumn = ({ column, table }) => {
      const isOwn = table ? table.table.identifier.name === name : parts.length === 1
      return isOwn && ColumnNode.is(column) ? column.column.name : undefined
    }
    return rowTestOf(where.where, own)
  }
  const reads: TableRead[] = []
  for (const source of sources) {
    const known = tables(source.table)
    if (!known) return undefined
    const test = testOf(source)
    if (known === true) {
      reads.push({ table: source.table, columns, mayRead: both(test, testOfJoined(source, sources, testOf, tables)) })
      continue
    }
    const joined = sources.find(({ table, join }) => table === known.from && isByKey(join ?? source.join, source, known))
    const mayRead = both(derivedTest(known, test), joined && testOf(joined))
    reads.push({ table: known.from, columns: known.columns, mayRead }, ...(known.also ?? []))
  }
  return reads
}

/** The test of the rows that follow from a row and are joined to it by its key. */
function testOfJoined(
  source: Source,
  sources: readonly Source[],
  testOf: (source: Source) => RowTest | undefined,
  tables: KnownTables,
): RowTest | undefined {
  let test: RowTest | undefined
  for (const other of sources) {
    const known = tables(other.table)
    if (typeof known !== 'object' || known.from !== source.table || !isByKey(source.join ?? other.join, other, known)) continue
    test = both(test, derivedTest(known, testOf(other)))
  }
  return test
}

/** True for an inner join of rows with the row from which they follow. */
function isByKey(join: JoinNode | undefined, { name }: Source, { from, key }: DerivedTable): boolean {
  const on = join?.on?.on
  if (join?.joinType !== 'InnerJoin' || key === undefined || !on || !BinaryOperationNode.is(on)) return false
  const named = [on.leftOperand, on.rightOperand].map((node) =>
    ReferenceNode.is(node) && ColumnNode.is(node.column) ? `${node.table?.table.identifier.name}.${node.column.column.name}` : '',
  )
  return named.includes(`${from}.id`) && named.includes(`${name}.${key}`)
}

function derivedTest({ rows }: DerivedTable, test: RowTest | undefined): RowTest | undefined {
  if (!rows || !test) return undefined
  return (row) => rows(row)?.some(test) ?? true
}

/** The table behind `from` or `join`, and the name that it has in the query. */
function tableOf(node: OperationNode): Omit<Source, 'join'> | 'subquery' | undefined {
  if (TableNode.is(node)) {
    const { name } = node.table.identifier
    return { table: name, name }
  }
  if (SelectQueryNode.is(node)) return 'subquery'
  if (node.kind !== 'AliasNode') return undefined
  const { node: inner, alias } = node as AliasNode
  const found = tableOf(inner)
  return typeof found === 'object' ? { table: found.table, name: (alias as IdentifierNode).name } : found
}
