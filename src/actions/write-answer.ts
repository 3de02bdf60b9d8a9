// What every write answers beside its result, and the answer of a write to several things (ACTIONS.md "Write answers").

import { Type } from 'typebox'

/** A schema, or null. */
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description?: string) =>
  Type.Union([type, Type.Null()], description === undefined ? {} : { description })

const warning = Type.Object({ code: Type.String(), message: Type.String(), found: Type.Optional(Type.Array(Type.String())) })
const diff = Type.Array(Type.Object({ id: Type.String(), field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }))

/** Beside a diff that was too long and is cut to the first row of each kind. */
export const cutProperties = {
  truncated: Type.Optional(Type.Boolean({ description: 'The diff is longer than this: `diff_summary` counts the whole.' })),
  diff_summary: Type.Optional(
    Type.Object({
      rows: Type.Integer(),
      things: Type.Integer(),
      counts: Type.Array(Type.Object({ kind: Type.String(), field: Type.String(), rows: Type.Integer() })),
      hint: Type.String({ description: 'How one difference is seen.' }),
    }),
  ),
}

/** Beside the result of any write. */
export const writeProperties = {
  activity_id: nullable(Type.String(), 'What SVC_Activity.undo takes; null when nothing changed.'),
  warnings: Type.Array(warning),
  diff: Type.Optional(diff),
  ...cutProperties,
}

/** The answer of a write to several. */
export const doneOutput = Type.Object({
  done: Type.Array(Type.String(), { description: 'Ids of those that changed.' }),
  unchanged: Type.Array(Type.String(), { description: 'Ids of those that were so already.' }),
  ...writeProperties,
})
