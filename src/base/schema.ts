// Words for JSON schemas that TypeBox doesn't have.

import { type TObject, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'

/** An object that has no other members than these, as every input is. */
export const closed = <const P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A text of at least one character. */
export const nonEmptyText = (description: string, maxLength: number) => Type.String({ description, minLength: 1, maxLength })

/** A text that may be empty. */
export const boundedText = (description: string, maxLength: number) => Type.String({ description, maxLength })

/** The form of slugs, in words. */
export const slugForm = 'lower-case letters, digits and hyphens'

/** The SHA-256 of a file, in an argument that may be left out. */
export const sha256Of = (file: string) =>
  Type.Optional(
    Type.String({
      description: `SHA-256 that the ${file} must have, in hex.`,
      pattern: '^[0-9a-fA-F]{64}$',
      maxLength: 64,
      title: '64 hex digits',
    }),
  )

/** A text that may be left out, and that null clears. */
export const clearableText = (description: string, maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

/** An integer between two others. */
export const boundedInteger = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ description, minimum, maximum })

/** True or false, where it may be left out. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** A list of at least one item. */
export const severalOf = <T extends TSchema>(item: T, description: string, maxItems: number) =>
  Type.Array(item, { description, minItems: 1, maxItems })
