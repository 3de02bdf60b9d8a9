// The parts of the site that an export reads.

import type { Caller } from '../../identity/caller.ts'
import type { ExportParts } from '../../exports/make-files.ts'
import type { Services } from '../call/services.ts'

/** @param origin of links in the export, with the base path */
export const exportParts = (
  site: Services,
  caller: Pick<Caller, 'tier'>,
  origin: string,
  signal: AbortSignal = new AbortController().signal,
): ExportParts => ({
  db: site.store.read,
  types: site.types.current,
  termOf: site.terms.of,
  caller,
  now: site.clock.now(),
  signal,
  store: site.media.store,
  renderer: site.renderer,
  settings: site.settings.values,
  release: site.release,
  origin,
  isClosed: () => site.maintenance.now() !== undefined,
  look: (path) => site.pageLook(site, { origin, path, theme: undefined, staged: undefined, signal }),
})
