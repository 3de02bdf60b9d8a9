// The definition of a custom field. `field-kinds.ts` has the values of each kind, and `check-definition.ts` checks definitions.

import { type TProperties, Type } from 'typebox'
import { closed } from '../../base/schema.ts'

export const customKinds = [
  'text',
  'markdown',
  'number',
  'boolean',
  'date',
  'datetime',
  'choice',
  'url',
  'email',
  'media',
  'entry',
  'term',
  'group',
  'json',
] as const
export type CustomKind = (typeof customKinds)[number]

/** A definition as the owner writes it and as the database stores it. */
export interface FieldDefinition {
  readonly name: string
  readonly kind: CustomKind
  /** The label for people. The default is the field's name. */
  readonly label?: string
  readonly help?: string
  /** True if an entry needs a value to be published. */
  readonly required?: boolean
  /** The value of a new entry whose writer gives none. */
  readonly default?: unknown
  /** The values of a `choice`. */
  readonly options?: readonly string[]
  /** True if the value is a list of such values. */
  readonly many?: boolean
  /** For a group its fields, for an `entry` its only allowed type, for a `term` its taxonomy. */
  readonly of?: string | readonly FieldDefinition[]
  /** True if lists can be filtered and sorted by the field. */
  readonly filter?: boolean
}

export const maxFields = 60
export const maxOptions = 100
/** The most values of a field with `many`. */
export const maxMany = 100

const optional = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) => Type.Optional(schema)

const plainMembers = {
  name: Type.String({
    description: 'Lower-case letters, digits and underscores, such as `price`. Callers and templates use it.',
    pattern: '^[a-z][a-z0-9_]*$',
    title: 'lower-case letters, digits and underscores, with a letter first',
    maxLength: 40,
  }),
  kind: Type.Enum([...customKinds], { description: 'What its values are.' }),
  label: optional(Type.String({ description: 'What people read beside the field. The default is the name.', maxLength: 100 })),
  help: optional(Type.String({ description: 'A sentence for the person who fills it in.', maxLength: 500 })),
  required: optional(Type.Boolean({ description: 'Whether an entry needs a value to be published. Drafts may lack it.' })),
  default: optional(Type.Unknown({ description: 'The value of a new entry that is created without one.' })),
  options: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      description: 'The values of a `choice`.',
      minItems: 1,
      maxItems: maxOptions,
    }),
  ),
  many: optional(Type.Boolean({ description: `Whether the value is a list, of at most ${maxMany}.` })),
} satisfies TProperties

const filter = optional(
  Type.Boolean({ description: 'Whether lists can be filtered and sorted by it. Not for markdown, json, group, or with `many`.' }),
)
const slugOf = Type.String({ description: 'The only type of an `entry`, or the taxonomy of a `term`.', maxLength: 100 })

/** A field within a group. */
const innerField = closed({ ...plainMembers, of: optional(slugOf) })

/** A field of a type. */
export const fieldSchema = closed({
  ...plainMembers,
  of: optional(
    Type.Union([slugOf, Type.Array(innerField, { description: 'The fields of a `group`.', minItems: 1, maxItems: 20 })]),
  ),
  filter,
})
