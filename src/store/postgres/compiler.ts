// Compiles queries so that PostgreSQL treats values and texts as SQLite does: texts are compared by code point, and numbers have
// their own type instead of the type of the compared column.

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
  /**
   * Gives text columns the collation `C`, which indexes, comparisons and orders inherit. The collation of the database then has no
   * effect.
   */
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const type = DataTypeNode.is(node.dataType) ? node.dataType.dataType : ''
    const isText = /^(?:text|varchar)\b/.test(type)
    super.visitColumnDefinition(isText ? { ...node, dataType: RawNode.createWithSql(`${type} collate "C"`) } : node)
  }

  /** Sorts nulls as the smallest values, as SQLite does. */
  protected override visitOrderByItem(node: OrderByItemNode): void {
    super.visitOrderByItem(node)
    const { value, isDown } = orderOf(node)
    const [column, table] = columnIn(value) ?? []
    if (node.nulls === undefined && column !== undefined && isNullable(column, table ?? this.#onlyTable(column)))
      this.append(isDown ? ' nulls last' : ' nulls first')
  }

  /**
   * Returns the table of an unqualified column in a query of a single table; undefined if the name may be an alias. A column that
   * is not nullable is ordered without `nulls last`, which its index could not serve.
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

  /** Puts the nulls of an index where orders have them. Otherwise the index could not serve those orders. */
  protected override visitColumn(node: ColumnNode): void {
    super.visitColumn(node)
    const { parentNode } = this
    if (!parentNode || !CreateIndexNode.is(parentNode)) return
    if (isNullable(node.column.name, parentNode.table?.table.identifier.name)) this.append(' nulls first')
  }

  /** Replaces an empty list, which SQLite allows and PostgreSQL does not. It contains nothing, not even null. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node
    const name = OperatorNode.is(operator) ? operator.operator : ''
    const isEmpty = (PrimitiveValueListNode.is(list) || ValueListNode.is(list)) && list.values.length === 0
    if (!isEmpty || (name !== 'in' && name !== 'not in')) return super.visitBinaryOperation(node)
    this.append(name === 'in' ? 'false' : 'true')
  }

  /**
   * Replaces SQLite's GLOB, in which conditions are written, with a regular expression. Both compare by code point on a `C` column.
   */
  protected override visitRaw(node: RawNode): void {
    const [before, between] = node.sqlFragments
    const [column, pattern] = node.parameters
    const isGlob = before === '' && between === ' glob ' && column && pattern && ValueNode.is(pattern)
    if (!isGlob) return super.visitRaw(node)
    this.visitNode(column)
    this.append(' ~ ')
    this.visitNode(ValueNode.create(regexOfGlob(String(pattern.value))))
  }

  /**
   * Casts a value to its type. Without the cast, PostgreSQL refuses a fraction, or a number beyond the range of the compared
   * column.
   */
  protected override appendValue(parameter: unknown): void {
    const type = typeOf(parameter)
    if (type === undefined) return super.appendValue(parameter)
    this.append('cast(')
    super.appendValue(parameter)
    this.append(` as ${type})`)
  }
}

/** Returns the SQL type of a value; undefined for texts and null, whose type follows from the context. */
function typeOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return 'bytea'
  if (typeof value === 'boolean') return 'int4'
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'float8'
  return value >= -(2 ** 31) && value < 2 ** 31 ? 'int4' : 'int8'
}

/** Returns the value and the direction of an order. Lists write both as one raw text. */
function orderOf({ orderBy, direction }: OrderByItemNode): { readonly value: OperationNode; readonly isDown: boolean } {
  const [value, written] =
    RawNode.is(orderBy) && orderBy.sqlFragments.join('') === ' ' ? orderBy.parameters : [orderBy, direction]
  return {
    value: value ?? orderBy,
    isDown: written !== undefined && RawNode.is(written) && written.sqlFragments.join('') === 'desc',
  }
}

/** Returns the name and the table of a column; undefined for any other expression. */
function columnIn(node: OperationNode): readonly [column: string, table?: string | undefined] | undefined {
  if (ColumnNode.is(node)) return [node.column.name]
  if (ReferenceNode.is(node)) {
    const [column] = columnIn(node.column) ?? []
    return column === undefined ? undefined : [column, node.table?.table.identifier.name]
  }
  const [inner] = RawNode.is(node) && node.sqlFragments.join('') === '' && node.parameters.length === 1 ? node.parameters : []
  return inner && columnIn(inner)
}
