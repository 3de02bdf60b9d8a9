// The members that the answer of every write has in addition to its result, and the answer of a write to several objects.

import { type Static, type TProperties, type TSchema, Type } from 'typebox'

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
