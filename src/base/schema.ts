// Schemas that many inputs use, made of TypeBox's own.

import { type TObject, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'

/** An object with these members and no others, as every input is. */
export const closed = <const P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A text of at least one character. */
export const nonEmptyText = (description: string, maxLength: number) => Type.String({ description, minLength: 1, maxLength })

/** A text that may be empty. */
export const boundedText = (description: string, maxLength: number) => Type.String({ description, maxLength })

/** The form of slugs, in words. */
export const slugForm = 'lower-case letters, digits and hyphens'

/** An optional argument with the SHA-256 of a file. */
export const sha256Argument = (file: string) =>
  Type.Optional(
    Type.String({
      description: `SHA-256 that the ${file} must have, in hex.`,
      pattern: '^[0-9a-fA-F]{64}$',
      maxLength: 64,
      title: '64 hex digits',
    }),
  )

/** An optional text. Null clears the stored one. */
export const clearableText = (description: string, maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

/** An integer in a range. */
export const boundedInteger = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ description, minimum, maximum })

/** An optional boolean. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/** A list of at least one item. */
export const severalOf = <T extends TSchema>(item: T, description: string, maxItems: number) =>
  Type.Array(item, { description, minItems: 1, maxItems })
