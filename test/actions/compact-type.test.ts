// The short form in which describe-action tells what an action answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { compactType, describedType } from '../../src/actions/api/compact-type.ts'

const rows = [
  [Type.String({ maxLength: 5 }), 'string'],
  [Type.Integer(), 'number'],
  [Type.Unknown(), 'unknown'],
  [Type.Enum(['page', "it's"]), "'page' | 'it\\'s'"],
  [Type.Union([Type.String(), Type.Null()]), 'string | null'],
  [Type.Union([Type.String({ maxLength: 1 }), Type.String()]), 'string'],
  [Type.Array(Type.Union([Type.String(), Type.Null()])), '(string | null)[]'],
  [Type.Object({ a: Type.String(), b: Type.Optional(Type.Boolean()) }), '{ a: string; b?: boolean }'],
  [Type.Array(Type.Object({ a: Type.Union([Type.String(), Type.Null()]) })), '{ a: string | null }[]'],
  [Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]), '{ a: string } | { b: string }'],
  [
    Type.Array(Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])),
    '({ a: string } | { b: string })[]',
  ],
  [Type.Object({ 'a-b': Type.Literal(1) }), '{ "a-b": 1 }'],
  [Type.Record(Type.String(), Type.Integer()), '{ [name: string]: number }'],
  [Type.Object({}, { additionalProperties: true }), '{ [name: string]: unknown }'],
  [Type.Object({}, { additionalProperties: false }), '{}'],
  [Type.Object({ a: Type.String() }, { additionalProperties: Type.Boolean() }), '{ a: string; [name: string]: boolean }'],
] as const

for (const [schema, type] of rows) test(`a schema in short: ${type}`, () => assert.equal(compactType(schema), type))

test('an input has its descriptions as comments, each once, and none can end a comment', () => {
  const said = (description: string) => Type.String({ description })
  const schema = Type.Object({ a: said('One.'), b: Type.Optional(Type.Object({ a: said('One.'), c: said('Ends */ here.') })) })
  assert.equal(describedType(schema), '{ a: string /* One. */; b?: { a: string; c: string /* Ends * / here. */ } }')
  assert.equal(compactType(schema), '{ a: string; b?: { a: string; c: string } }')
})
