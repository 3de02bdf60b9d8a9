// Types of entries that the site does not have yet.

import { columnsOfType } from '../../../content/types/entry-type-reader.ts'
import { usualType } from '../../../content/types/entry-types.ts'
import type { Report } from '../../../imports/behind/report.ts'
import type { Scan } from '../../../imports/behind/scan.ts'
import { createChange } from '../../../store/change/change.ts'
import { newId } from '../../../store/core/ids.ts'
import type { ImportRunRow } from '../../../store/core/schema.ts'
import type { Context } from '../../call/action.ts'
import { authorOf, commit } from '../../call/commit.ts'
import { maxTypes } from '../../types/writing.ts'
import { typeFor } from '../open-import.ts'
import type { ImportOptions } from '../options.ts'
import { factsOf, runName } from './import-job.ts'

interface Parts {
  readonly scanned: Scan
  readonly options: ImportOptions
  readonly report: Report
}

/** Makes the types of the old site, at `/type/…`. Entries of those that can't be made are pages. */
export async function makeTypes(context: Context, run: ImportRunRow, { scanned, options, report }: Parts): Promise<void> {
  const { site, caller } = context
  const types = site.types.current
  const wanted = new Map<string, string>()
  for (const name of Object.keys(scanned.report.data().counts)) {
    const type = /^type\.(.+)$/.exec(name)?.[1]
    const slug = type === undefined ? usualType : typeFor(type, options, types.slugs)
    if (type !== undefined && !types.slugs.includes(slug)) wanted.set(slug, type)
    else if (type !== undefined && slug === usualType && type !== usualType && options.map?.[`type:${type}`] === undefined)
      report.loss('type', type, 'no type can have this name, so these are pages', undefined, scanned.report.counted(name))
  }
  if (wanted.size === 0) return
  const now = site.clock.now()
  await commit(site, runName, async ({ db, record }) => {
    const change = createChange(db, { now, author: authorOf(caller, runName) })
    for (const [slug, type] of [...wanted].slice(0, Math.max(0, maxTypes - types.all.length))) {
      const at = await db.selectFrom('entry').select('id').where('path', '=', `/${slug}`).executeTakeFirst()
      const base = at ? '/{type}-items' : '/{type}'
      if (at) report.loss('type', type, `an entry is at /${slug}, so that entries of the type stand below /${slug}-items`)
      const name = (type.slice(0, 1).toUpperCase() + type.slice(1)).replace(/[_-]+/g, ' ')
      const own = { slug, name, path: `${base}/{slug}`, fields: [], dropped: [], taxonomies: [], feed: false, list: {} }
      await change.insert('entry_type', columnsOfType(own))
      report.count('types.made')
    }
    record({ ...factsOf(context, now), id: newId(now), records: change.records, partOf: run.activity_id })
  })
}
