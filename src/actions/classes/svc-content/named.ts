// The arguments that name entries. `/` means the entry that is the home page.

import { Type } from 'typebox'
import type { Context } from '../../action.ts'

/** The argument for one entry. */
export const idProperty = Type.String({ description: 'Id or path of the entry.', minLength: 1, maxLength: 1100 })
/** The argument for several entries. */
export const idsProperty = Type.Array(idProperty, { description: 'Ids or paths of entries.', minItems: 1, maxItems: 100 })

/** Returns the id or path of the entry that a caller names. */
export function named({ site }: Pick<Context, 'site'>, ref: string): string {
  return ref === '/' ? (site.settings.values.home ?? ref) : ref
}
