// The arguments that name entries. `/` means the entry that is the home page.

import { getEntry, noEntry } from '../../content/entries/entry.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { nonEmptyText, severalOf } from '../../base/schema.ts'
import { suggestPath } from '../redirects/suggest-path.ts'
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

/** Returns the entry that a caller names. @throws Failure `not_found`, with the public page that may be meant */
export async function getNamed(context: Context, ref: string): Promise<EntryRow> {
  try {
    return await getEntry(context.db, named(context, ref))
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found' && error.detail.hint === undefined)
      throw await noEntryNear(context, ref)
    throw error
  }
}

/** Makes the `not_found` for a name. The suggestion depends on public entries alone, so it tells nothing of others. */
export async function noEntryNear(context: Context, ref: string): Promise<Failure> {
  const { code, message, detail } = noEntry(ref)
  const path = idOrPath(context, ref)
  const near = detail.hint === undefined && path.length <= 200 ? await suggestPath(context.db, path, context.now) : null
  return new Failure(code, message, { ...detail, ...(near !== null && { nearest: [near] }) })
}
