// The answer of an inspection of an export of Postern, by the plan that the run makes.

import { readFrontMatter } from '../../../content/entries/front-matter.ts'
import { usualType } from '../../../content/types/entry-types.ts'
import { Report } from '../../../imports/behind/report.ts'
import { ownRootOf } from '../../../imports/own-export.ts'
import { entryPathOf } from '../../../exports/folder-content.ts'
import { readItems } from '../../../exports/folder-sides.ts'
import { readMark } from '../../../exports/read-mark.ts'
import type { Context } from '../../call/action.ts'
import type { OpenedImport } from '../open-import.ts'
import type { ImportOptions } from '../options.ts'
import { shownReport } from '../report-answer.ts'
import { notePlan } from './note-own.ts'
import { measureMedia, type OpenedOwn, withOwn } from './with-own.ts'

/** Returns the answer of SVC_Import.inspect for an export of Postern. */
export const inspectedOwn = (context: Context, opened: OpenedImport, options: ImportOptions) =>
  withOwn(context, opened, options, async (own) => {
    const report = new Report()
    const types = countEntries(own, report)
    notePlan(own, options, report)
    const { url, title, language } = readMark(own.wanted)
    const { count, bytes } = measureMedia(own, opened)
    return {
      format: opened.format.name,
      file: opened.files.name,
      site: { key: ownRootOf(opened.files)?.slice(0, -1) || opened.files.name, url, title, tagline: null, language },
      ...shownReport(report.data()),
      types: [...types].map(([type, number]) => ({ type, count: number, becomes: type })),
      media: { count, in_files: count, bytes, elsewhere: 0, asked: 0, reachable: 0 },
      time_zone: { used: context.site.settings.values.time_zone, question: false, commonest_offset: null },
      known: [...own.wanted.keys()].filter((path) => entryPathOf(path, 'index') !== undefined && own.present.has(path)).length,
    }
  })

/** Counts what the export has, whether the site has it already or not. @returns the number of entries of each type */
export function countEntries({ wanted }: Pick<OpenedOwn, 'wanted'>, report: Report): ReadonlyMap<string, number> {
  const types = new Map<string, number>()
  for (const { path, text } of wanted.values()) {
    if (text === undefined || entryPathOf(path, 'index') === undefined) continue
    const { fields } = readFrontMatter(text)
    const type = typeof fields['type'] === 'string' ? fields['type'] : usualType
    types.set(type, (types.get(type) ?? 0) + 1)
    report.count('entries')
    report.count(`type.${type}`)
    if (typeof fields['status'] === 'string') report.count(`status.${fields['status']}`)
  }
  for (const name of ['terms', 'menus', 'types'] as const) {
    const count = readItems(wanted, `${name}.yaml`).length
    if (count > 0) report.count(name, count)
  }
  return types
}
