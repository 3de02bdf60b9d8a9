// The site for the calls of a batch. They follow the types and settings that earlier calls of the batch wrote. The caches of the
// process are not changed, so a batch that is rolled back leaves nothing.

import { typesIn } from '../../content/types/entry-type-reader.ts'
import { type EntryTypes, unsettled } from '../../content/types/entry-types.ts'
import { areasOf } from '../../store/change/change.ts'
import { settingsIn } from '../../settings/settings-reader.ts'
import type { Action, Context, WriteContext } from './action.ts'
import type { Services } from './services.ts'

/**
 * Returns the context for checking and preparing a call, before any write.
 * @param earlier the writes before the call
 */
export function beforeWrites(context: Context, earlier: readonly Action[]): Context {
  const { site } = context
  if (site.types.current.unsettled === true || !earlier.some(mayChangeTypes)) return context
  return { ...context, signal: context.signal, db: context.db, site: withTypes(site, unsettled(site.types.current)) }
}

/** True for an action that may change types. An action that runs others, such as undo, may write anything. */
const mayChangeTypes = ({ class: name, touches }: Action): boolean =>
  name === 'SVC_Types' || touches === 'calls' || touches === 'outside'

/**
 * Returns the context for the next write of a batch.
 * @param known the number of changes that the context already includes
 */
export async function afterWrite(context: WriteContext, known: number): Promise<WriteContext> {
  const { db, change } = context
  const written = new Set(areasOf(change.records.slice(known)))
  let { site } = context
  if (written.has('types')) site = withTypes(site, await typesIn(db))
  if (written.has('settings')) site = { ...site, settings: { ...site.settings, values: await settingsIn(db, site.release) } }
  return site === context.site ? context : { ...context, site }
}

const withTypes = (site: Services, current: EntryTypes): Services => ({ ...site, types: { ...site.types, current } })
