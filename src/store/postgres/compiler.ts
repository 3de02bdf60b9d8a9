// Compiles queries so that PostgreSQL treats values and texts as SQLite does: texts compare by code point, and a number has a type of its own instead
// of the type of the column that it is compared with.

import {
  AliasNode,
  type BinaryOperationNode,
  type ColumnDefinitionNode,
  ColumnNode,
  CreateIndexNode,
  DataTypeNode,
  IdentifierNode,
  type OperationNode,
  OperatorNode,
  type OrderByItemNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  ValueListNode,
  ValueNode,
} from 'kysely'
import { regexOfGlob } from './glob.ts'
import { isNullable } from './nulls.ts'

export class Compiler extends PostgresQueryCompiler {
  /** Columns of text get the collation `C`, which is inherited by indexes, comparisons and orders. So the collation of the database doesn't matter. */
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const type = DataTypeNode.is(node.dataType) ? node.dataType.dataType : ''
    const isText = /^(?:text|varchar)\b/.test(type)
    super.visitColumnDefinition(isText ? { ...node, dataType: RawNode.createWithSql(`${type} collate "C"`) } : node)
  }

  /** Nulls are the smallest values, as on SQLite. */
  protected override visitOrderByItem(node: OrderByItemNode): void {
    super.visitOrderByItem(node)
    const { value, isDown } = orderOf(node)
    const [column, table] = columnIn(value) ?? []
    if (node.nulls === undefined && column !== undefined && isNullable(column, table ?? this.#onlyTable(column)))
      this.append(isDown ? ' nulls last' : ' nulls first')
  }

  /**
   * The table of a column without one, in a query of a single table. A column that must not be null is ordered without `nulls last`, which its index
   * would not serve. Undefined where the name may stand for something else.
   */
  #onlyTable(column: string): string | undefined {
    const query = this.nodeStack.findLast((node) => SelectQueryNode.is(node))
    const [from, ...others] = query?.from?.froms ?? []
    if (!query || !from || !TableNode.is(from) || others.length > 0 || query.joins || query.with) return undefined
    const isRenamed = query.selections?.some(
      ({ selection }) => AliasNode.is(selection) && IdentifierNode.is(selection.alias) && selection.alias.name === column,
    )
    return isRenamed ? undefined : from.table.identifier.name
  }

  /** An index has the nulls where the orders have them. Otherwise it would be of no use for them. */
  protected override visitColumn(node: ColumnNode): void {
    super.visitColumn(node)
    const { parentNode } = this
    if (!parentNode || !CreateIndexNode.is(parentNode)) return
    if (isNullable(node.column.name, parentNode.table?.table.identifier.name)) this.append(' nulls first')
  }

  /** SQLite knows the empty list: nothing is in it, not even null. PostgreSQL has no such list. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node
    const name = OperatorNode.is(operator) ? operator.operator : ''
    const isEmpty = (PrimitiveValueListNode.is(list) || ValueListNode.is(list)) && list.values.length === 0
    if (!isEmpty || (name !== 'in' && name !== 'not in')) return super.visitBinaryOperation(node)
    this.append(name === 'in' ? 'false' : 'true')
  }

  /** Conditions are written with SQLite's GLOB, which compares by code point as regular expressions on a `C` column do. */
  protected override visitRaw(node: RawNode): void {
    const [before, between] = node.sqlFragments
    const [column, pattern] = node.parameters
    const isGlob = before === '' && between === ' glob ' && column && pattern && ValueNode.is(pattern)
    if (!isGlob) return super.visitRaw(node)
    this.visitNode(column)
    this.append(' ~ ')
    this.visitNode(ValueNode.create(regexOfGlob(String(pattern.value))))
  }

  /** Without its type, a number beyond the range of the column, or a fraction, would be an error where it is compared with the column. */
  protected override appendValue(parameter: unknown): void {
    const type = typeOf(parameter)
    if (type === undefined) return super.appendValue(parameter)
    this.append('cast(')
    super.appendValue(parameter)
    this.append(` as ${type})`)
  }
}

/** The SQL type of a value; undefined for texts and null, which take the type of their place. */
function typeOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return 'bytea'
  if (typeof value === 'boolean') return 'int4'
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'float8'
  return value >= -(2 ** 31) && value < 2 ** 31 ? 'int4' : 'int8'
}

/** Returns the value that an order sorts by. Lists write the value and its direction as one raw text. */
function orderOf({ orderBy, direction }: OrderByItemNode): { readonly value: OperationNode; readonly isDown: boolean } {
  const [value, written] =
    RawNode.is(orderBy) && orderBy.sqlFragments.join('') === ' ' ? orderBy.parameters : [orderBy, direction]
  return {
    value: value ?? orderBy,
    isDown: written !== undefined && RawNode.is(written) && written.sqlFragments.join('') === 'desc',
  }
}

/** The name and the table of a column; undefined for any other expression. */
function columnIn(node: OperationNode): readonly [column: string, table?: string | undefined] | undefined {
  if (ColumnNode.is(node)) return [node.column.name]
  if (ReferenceNode.is(node)) {
    const [column] = columnIn(node.column) ?? []
    return column === undefined ? undefined : [column, node.table?.table.identifier.name]
  }
  const [inner] = RawNode.is(node) && node.sqlFragments.join('') === '' && node.parameters.length === 1 ? node.parameters : []
  return inner && columnIn(inner)
}
