// One `id` for actions that take `ids`. An action declares `ids` alone. This file adds `id` to its schema, and the action always
// gets `ids`.

import { type TObject, type TSchema, Type } from 'typebox'
import { invalid } from '../../base/failure.ts'

type Input = Readonly<Record<string, unknown>>

/** The parts of a declaration that depend on the input. */
interface Declared {
  readonly input: TObject
  prepare?(context: never, input: never): Promise<unknown>
  run(context: never, input: never, prepared: never): unknown
}

/** Adds `id` to a declaration with `ids`. Other declarations are returned unchanged. */
export function takeOneId<D extends Declared>(declaration: D): D {
  const { input, prepare, run } = declaration
  const { ids, id } = input.properties as Readonly<Record<string, TSchema | undefined>>
  if (ids === undefined || id !== undefined) return declaration
  const isNeeded = (input.required ?? []).includes('ids')
  const read = (given: Input): never => readIds(given, isNeeded) as never
  return {
    ...declaration,
    input: withId(input, ids as TSchema & { items: TSchema }),
    ...(prepare ? { prepare: (context: never, given: never) => prepare.call(declaration, context, read(given)) } : {}),
    run: (context: never, given: never, prepared: never) => run.call(declaration, context, read(given), prepared),
  }
}

/**
 * Adds `id` to the schema, which then requires neither: "one of both" would make it hard to read. `readIds` checks that one is
 * given.
 */
function withId(input: TObject, ids: TSchema & { readonly items: TSchema }): TObject {
  const { type: _type, properties, required: _required, ...rest } = input as TObject & Input
  const described = { ...ids.items, description: 'A single id instead of `ids`.' } as TSchema
  const both = { id: Type.Optional(described), ...properties, ids: Type.Optional(ids) }
  return Type.Object(both, rest)
}

/** @throws Failure `invalid` if both are given, or neither and one is required */
function readIds({ id, ...input }: Input, isNeeded: boolean): Input {
  if (id !== undefined && input['ids'] !== undefined)
    throw invalid('id', '"id" and "ids" can\'t both be given.', 'left out where `ids` is given')
  if (id !== undefined) return { ...input, ids: [id] }
  if (!isNeeded || input['ids'] !== undefined) return input
  throw invalid('ids', '"ids" is missing: give a list of ids, or one "id".', 'a list of ids, or `id` with one')
}
