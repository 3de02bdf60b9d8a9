// Words for JSON schemas that TypeBox doesn't have.

import { type TObject, type TObjectOptions, type TProperties, Type } from 'typebox'

/** An object that has no other members than these, as every input is. */
export const closed = <const P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A text of at least one character. */
export const nonEmptyText = (description: string, maxLength: number) => Type.String({ description, minLength: 1, maxLength })

/** A text that may be empty. */
export const boundedText = (description: string, maxLength: number) => Type.String({ description, maxLength })

/** A text that may be left out, and that null clears. */
export const clearableText = (description: string, maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

/** An integer between two others. */
export const boundedInteger = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ description, minimum, maximum })

/** True or false, in an argument that may be left out. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
