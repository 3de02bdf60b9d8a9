// Words for JSON schemas that TypeBox doesn't have.

import { type TObject, type TObjectOptions, type TProperties, Type } from 'typebox'

/** An object that has no other members than these, as every input is. */
export const closed = <const P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })
