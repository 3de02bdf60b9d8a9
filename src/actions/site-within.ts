// The site as the calls of a batch see it. They obey the types and settings that earlier calls of the batch wrote. Nothing is put into the caches of
// the process, so nothing stays of a batch that is rolled back.

import { typesIn } from '../content/entry-type-reader.ts'
import { type EntryTypes, unsettled } from '../content/entry-types.ts'
import { areasOf } from '../store/change.ts'
import { settingsIn } from '../settings/settings-reader.ts'
import type { Action, Context, WriteContext } from './action.ts'
import type { Services } from './services.ts'

/**
 * The context in which a call is checked and prepared, before anything is written.
 * @param earlier the writes before it
 */
export function beforeWrites(context: Context, earlier: readonly Action[]): Context {
  const { site } = context
  if (site.types.current.unsettled === true || !earlier.some(mayChangeTypes)) return context
  return { ...context, signal: context.signal, db: context.db, site: withTypes(site, unsettled(site.types.current)) }
}

/** An action that runs others, such as undo, may write anything. */
const mayChangeTypes = ({ class: name, touches }: Action): boolean =>
  name === 'SVC_Types' || touches === 'calls' || touches === 'outside'

/**
 * The context for the next write of a batch.
 * @param known how many changes the context has seen already
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
