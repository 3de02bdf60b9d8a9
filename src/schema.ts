// Words for JSON schemas that TypeBox doesn't have.

import { type TObject, type TObjectOptions, type TProperties, type TString, Type } from 'typebox'

/** An object that has no other members than these, as every input is. */
export const closed = <const P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A text of at most so many characters, and at least one unless `least` says otherwise. */
export const text = (description: string, maxLength: number, least = 1): TString =>
  Type.String({ description, ...(least > 0 && { minLength: least }), maxLength })
