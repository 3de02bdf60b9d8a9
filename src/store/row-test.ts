// Which rows can meet the `where` of a query, as far as its tree says so. A test answers false only for a row that certainly does not meet the
// condition. Whatever it does not understand, such as a range or a function, may be met.

import {
  AndNode,
  BinaryOperationNode,
  OperatorNode,
  OrNode,
  ParensNode,
  PrimitiveValueListNode,
  ReferenceNode,
  ValueListNode,
  ValueNode,
} from 'kysely'
import type { OperationNode } from 'kysely'

/** A row as far as it is known. A column that is absent may hold anything. */
export type KnownRow = Readonly<Record<string, unknown>>

/** False if a row certainly does not meet a condition. */
export type RowTest = (row: KnownRow) => boolean

/** The column of the tested table that a reference means; undefined for a column of another table. */
export type OwnColumn = (reference: ReferenceNode) => string | undefined

/** The test of a condition; undefined if any row may meet it. */
export function rowTestOf(condition: OperationNode, own: OwnColumn): RowTest | undefined {
  if (ParensNode.is(condition)) return rowTestOf(condition.node, own)
  if (AndNode.is(condition)) return both(rowTestOf(condition.left, own), rowTestOf(condition.right, own))
  if (OrNode.is(condition)) return either(rowTestOf(condition.left, own), rowTestOf(condition.right, own))
  if (BinaryOperationNode.is(condition)) return comparison(condition, own)
  return undefined
}

/** The test that a row meets two conditions. */
export function both(one: RowTest | undefined, other: RowTest | undefined): RowTest | undefined {
  if (!one || !other) return one ?? other
  return (row) => one(row) && other(row)
}

function either(one: RowTest | undefined, other: RowTest | undefined): RowTest | undefined {
  return one && other && ((row) => one(row) || other(row))
}

function comparison({ leftOperand, operator, rightOperand }: BinaryOperationNode, own: OwnColumn): RowTest | undefined {
  const column = ReferenceNode.is(leftOperand) ? own(leftOperand) : undefined
  const name = OperatorNode.is(operator) ? operator.operator : ''
  const values = valuesOf(rightOperand)
  const test = values && tests[name]?.(values)
  if (column === undefined || !test) return undefined
  return (row) => row[column] === undefined || test(row[column])
}

/** The constants that a column is compared with. */
function valuesOf(node: OperationNode): readonly unknown[] | undefined {
  if (ValueNode.is(node)) return [node.value]
  if (PrimitiveValueListNode.is(node)) return node.values
  if (!ValueListNode.is(node)) return undefined
  return node.values.every(ValueNode.is) ? node.values.map((one) => one.value) : undefined
}

/** Only comparisons that come out the same at any time. A range may be one up to the present. */
const tests: Readonly<Record<string, (values: readonly unknown[]) => ((held: unknown) => boolean) | undefined>> = {
  '=': equalsOne,
  in: equalsOne,
  is: ([value]) => (value === null ? (held) => held === null : undefined),
  'is not': ([value]) => (value === null ? (held) => held !== null : undefined),
}

/** NULL is equal to nothing. Whether values of different types are equal depends on the database, so they may be. */
function equalsOne(values: readonly unknown[]): (held: unknown) => boolean {
  const wanted = new Set(values)
  const types = new Set(values.map((value) => typeof value))
  return (held) => held !== null && (wanted.has(held) || !types.has(typeof held))
}
