// The arguments that name entries. `/` means the entry that is the home page.

import type { Context } from '../call/action.ts'
import { nonEmptyText, severalOf } from '../../base/schema.ts'
import { idOrPath } from '../shared/own-address.ts'

/** The argument for one entry. */
export const idProperty = nonEmptyText('Id or path of the entry.', 1100)
/** The argument for several entries. */
export const idsProperty = severalOf(idProperty, 'Ids or paths of entries.', 100)

/** Returns the id or path of the entry that a caller names. */
export function named(context: Pick<Context, 'site' | 'origin'>, ref: string): string {
  const path = idOrPath(context, ref)
  return path === '/' ? (context.site.settings.values.home ?? path) : path
}
