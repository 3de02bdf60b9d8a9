// The parts of the site that an export reads.

import type { Caller } from '../../identity/caller.ts'
import type { ExportParts } from '../../exports/formats.ts'
import type { ContentServices, MediaServices, ProgramServices, SettingsServices, StoreServices } from '../call/services.ts'

type Site = ProgramServices & StoreServices & SettingsServices & ContentServices & MediaServices

/** @param origin of links in the export, with the base path */
export const exportParts = (
  { store, types, terms, clock, media, renderer, settings, release }: Site,
  caller: Pick<Caller, 'tier'>,
  origin: string,
  signal?: AbortSignal,
): ExportParts => ({
  db: store.read,
  types: types.current,
  termOf: terms.of,
  caller,
  now: clock.now(),
  signal,
  store: media.store,
  renderer,
  settings: settings.values,
  release,
  origin,
})
