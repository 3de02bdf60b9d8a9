// The report of a run in answers: short enough for an assistant, which can mend with SVC_Content.edit what was not carried over.

import { Type } from 'typebox'
import type { Loss, Named, ReportData } from '../../imports/behind/report.ts'
import type { ImportRunRow } from '../../store/core/schema.ts'

const shown = 100

const loss = Type.Object({
  group: Type.String(),
  name: Type.String(),
  reason: Type.String(),
  count: Type.Integer(),
  where: Type.Array(Type.String(), { description: 'The first three.' }),
})

const named = Type.Object({
  kind: Type.String(),
  title: Type.String(),
  path: Type.Union([Type.String(), Type.Null()]),
  why: Type.String(),
})

/** The members of an answer with a report. */
export const reportProperties = {
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'What came, by name: `entries.made`, `media.failed`.' }),
  losses: Type.Array(loss, { description: 'What was not carried over, the commonest first.' }),
  conflicts: Type.Array(named, { description: 'Changed here since the last import, and left as it is.' }),
  clashes: Type.Array(named, { description: 'Paths that other entries of this site have.' }),
  links: Type.Array(loss, { description: 'Links that lead nowhere.' }),
  settings: Type.Record(Type.String(), Type.String(), { description: 'Settings that are taken from the old site.' }),
  left_out: Type.Integer({ description: 'The number of rows of these lists that are not shown.' }),
} as const

export function reportAnswer({ report }: Pick<ImportRunRow, 'report'>) {
  return shownReport(report === '' ? undefined : (JSON.parse(report) as ReportData))
}

export function shownReport({ counts, losses, conflicts, clashes, links, settings }: ReportData = emptyReport) {
  const lists = [losses, conflicts, clashes, links]
  return {
    counts: { ...counts },
    losses: cut(losses),
    conflicts: cutNamed(conflicts),
    clashes: cutNamed(clashes),
    links: cut(links),
    settings: { ...settings },
    left_out: lists.reduce((sum, list) => sum + Math.max(0, list.length - shown), 0),
  }
}

const emptyReport: ReportData = { counts: {}, losses: [], conflicts: [], clashes: [], links: [] }

const cut = (losses: readonly Loss[]) => losses.slice(0, shown).map((one) => ({ ...one, where: [...one.where] }))
const cutNamed = (list: readonly Named[]) => list.slice(0, shown).map((one) => ({ ...one }))
