// The members that the answer of every write has in addition to its result, and the answer of a write to several objects.

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { flag } from '../../base/schema.ts'

/** A schema, or null. */
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description?: string) =>
  Type.Union([type, Type.Null()], description === undefined ? {} : { description })

const warning = Type.Object({ code: Type.String(), message: Type.String(), found: Type.Optional(Type.Array(Type.String())) })
/** A warning in the answer of a write. */
export type WriteWarning = Static<typeof warning>

const diff = Type.Array(Type.Object({ id: Type.String(), field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }))

/** Members of an answer whose diff is cut to the first row of each kind. */
export const cutProperties = {
  truncated: Type.Optional(Type.Boolean({ description: 'The diff is cut. `diff_summary` counts all of it.' })),
  diff_summary: Type.Optional(
    Type.Object({
      rows: Type.Integer(),
      things: Type.Integer(),
      counts: Type.Array(Type.Object({ kind: Type.String(), field: Type.String(), rows: Type.Integer() })),
      hint: Type.String({ description: 'How to see one difference in full.' }),
    }),
  ),
}

/** Members of the answer of every write. */
export const writeProperties = {
  activity_id: nullable(Type.String(), 'The id for SVC_Activity.undo; null where nothing changed.'),
  warnings: Type.Array(warning),
  diff: Type.Optional(diff),
  ...cutProperties,
}

/** The answer of a write to one object: its item, what the action adds, and the names of the changed fields. */
export const itemOutput = <I extends TSchema, const P extends TProperties = {}>(item: I, more?: P) =>
  Type.Object({ item, ...(more as P), changed: Type.Array(Type.String()), ...writeProperties })

/** Returns the answer of a write to one object; dispatch adds `activity_id` and `diff`. */
export const itemAnswer = <I>(item: I, changed: readonly string[], warnings: readonly WriteWarning[] = []) => ({
  item,
  changed: [...changed],
  warnings: [...warnings],
  activity_id: null,
})

/** The answer of a write to several objects. */
export const doneOutput = Type.Object({
  done: Type.Array(Type.String(), { description: 'Ids of the objects that changed.' }),
  unchanged: Type.Array(Type.String(), { description: 'Ids of the objects that needed no change.' }),
  ...writeProperties,
})

/** The number of ids or rows that the answer of a write to many objects shows, unless the caller asks for all. */
const sampleSize = 10

/** The argument that asks for all of them. */
export const fullProperty = flag('Answers every id and row, as far as they fit, instead of counts and the first ten.')

/** Returns the first items of a list, or all if the caller asks for them. */
export const sampleOf = <T>(items: readonly T[], full = false): T[] => (full ? [...items] : items.slice(0, sampleSize))

/** The answer of a write to objects that a condition chooses, of which there may be a thousand. */
export const manyOutput = Type.Object({
  ...doneOutput.properties,
  done: Type.Array(Type.String(), { description: 'Ids of the objects that changed: the first ten, with `full` all.' }),
  unchanged: Type.Array(Type.String(), { description: 'Ids of the objects that needed no change, in the same way.' }),
  counts: Type.Object({ done: Type.Integer(), unchanged: Type.Integer() }),
})

/** Returns the answer of a write to many objects. @param full true for all ids */
export const manyAnswer = (done: readonly string[], unchanged: readonly string[], full?: boolean) => ({
  done: sampleOf(done, full),
  unchanged: sampleOf(unchanged, full),
  counts: { done: done.length, unchanged: unchanged.length },
  warnings: [],
  activity_id: null,
})
