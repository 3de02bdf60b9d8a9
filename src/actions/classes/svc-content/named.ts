// What a caller's name for an entry means: `/` is whichever entry is the home page. Finding it is content's.

import { Type } from 'typebox'
import type { Context } from '../../action.ts'

/** The argument by which an action takes one entry. */
export const idProperty = Type.String({ description: 'Id or path of the entry.', minLength: 1, maxLength: 1100 })
/** The argument by which an action takes several. */
export const idsProperty = Type.Array(idProperty, { description: 'Ids or paths of entries.', minItems: 1, maxItems: 100 })

/** The id or path that a name stands for. */
export function named({ site }: Pick<Context, 'site'>, ref: string): string {
  return ref === '/' ? (site.settings.values.home ?? ref) : ref
}
