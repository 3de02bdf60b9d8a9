// The site before the first entry comes: its title and language, and the types of entries that it does not have yet.

import { columnsOfType } from '../../../content/types/entry-type-reader.ts'
import { usualType } from '../../../content/types/entry-types.ts'
import { jsonText } from '../../../base/json.ts'
import type { Items } from '../../../imports/behind/items.ts'
import type { Report } from '../../../imports/behind/report.ts'
import { updateRun } from '../../../imports/behind/runs.ts'
import type { Scan } from '../../../imports/behind/scan.ts'
import { type Change, createChange } from '../../../store/change/change.ts'
import { newId } from '../../../store/core/ids.ts'
import type { ImportRunRow } from '../../../store/core/schema.ts'
import type { Context } from '../../call/action.ts'
import { authorOf, commit } from '../../call/commit.ts'
import { maxTypes } from '../../types/writing.ts'
import { typeFor } from '../open-import.ts'
import type { ImportOptions } from '../options.ts'
import { factsOf, runName } from './import-job.ts'
import { planSettings, writeSettings } from './site-settings.ts'

interface Parts {
  readonly scanned: Scan
  readonly items: Items
  readonly options: ImportOptions
  readonly report: Report
}

/** Takes over the settings and makes the types of the old site, in one transaction with the report of it. */
export async function makeRoom({ site, caller }: Context, run: ImportRunRow, parts: Parts): Promise<void> {
  const { scanned, items, options, report } = parts
  const now = site.clock.now()
  const types = site.types.current
  const wanted = wantedTypes(types.slugs, parts)
  const settings = await planSettings(site.store.read, { scanned, items, options })
  await commit(site, runName, async ({ db, record }) => {
    const change = createChange(db, { now, author: authorOf(caller, runName) })
    await writeSettings({ change, caller, release: site.release, types }, settings, parts)
    for (const [slug, type] of [...wanted].slice(0, Math.max(0, maxTypes - types.all.length)))
      await makeType(change, report, { slug, type })
    await updateRun(db, run.id, { source: items.source, done: 1, report: jsonText(report.data()) })
    record({ ...factsOf({ caller }, now), id: newId(now), records: change.records, partOf: run.activity_id })
  })
}

/** The types that are missing, by their slugs. Entries of those that can't be made are pages. */
function wantedTypes(slugs: readonly string[], { scanned, options, report }: Parts): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>()
  for (const name of Object.keys(scanned.report.data().counts)) {
    const type = /^type\.(.+)$/.exec(name)?.[1]
    const slug = type === undefined ? usualType : typeFor(type, options, slugs)
    if (type !== undefined && !slugs.includes(slug)) wanted.set(slug, type)
    else if (type !== undefined && slug === usualType && type !== usualType && options.map?.[`type:${type}`] === undefined)
      report.loss('type', type, 'no type can have this name, so these are pages', undefined, scanned.report.counted(name))
  }
  return wanted
}

/** Makes a type, at `/type/…`. */
async function makeType(change: Change, report: Report, { slug, type }: { readonly slug: string; readonly type: string }) {
  const at = await change.db.selectFrom('entry').select('id').where('path', '=', `/${slug}`).executeTakeFirst()
  const base = at ? '/{type}-items' : '/{type}'
  if (at) report.loss('type', type, `an entry is at /${slug}, so that entries of the type stand below /${slug}-items`)
  const name = (type.slice(0, 1).toUpperCase() + type.slice(1)).replace(/[_-]+/g, ' ')
  const own = { slug, name, path: `${base}/{slug}`, fields: [], dropped: [], taxonomies: [], feed: false, list: {} }
  await change.insert('entry_type', columnsOfType(own))
  report.count('types.made')
}
