// The report of a run in answers: short enough for an assistant, which can mend with SVC_Content.edit what was not carried over.

import { Type } from 'typebox'
import type { Construct, Loss, Named, ReportData } from '../../imports/behind/report.ts'
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

const construct = Type.Object({
  group: Type.String({ description: '`block`, `shortcode`, `card`, `template` or `meta`.' }),
  name: Type.String(),
  count: Type.Integer(),
  where: Type.String({ description: 'The first.' }),
})

/** The members of an answer with a report. */
export const reportProperties = {
  counts: Type.Record(Type.String(), Type.Integer(), { description: 'What came, by name: `entries.made`, `media.failed`.' }),
  losses: Type.Array(loss, { description: 'What was not carried over, the commonest first.' }),
  conflicts: Type.Array(named, { description: 'Changed here since the last import, and left as it is.' }),
  clashes: Type.Array(named, { description: 'Paths that are taken or reserved, each with what became of the entry.' }),
  links: Type.Array(loss, { description: 'Links that lead nowhere.' }),
  constructs: Type.Array(construct, {
    description:
      'Blocks, shortcodes, cards, tags and meta keys of the old site, carried over or not: the commonest, by their groups.',
  }),
  settings: Type.Record(Type.String(), Type.String(), { description: 'Settings that are taken from the old site.' }),
  left_out: Type.Integer({ description: 'The number of rows of these lists that are not shown.' }),
} as const

export function reportAnswer({ report }: Pick<ImportRunRow, 'report'>) {
  return shownReport(report === '' ? undefined : (JSON.parse(report) as ReportData))
}

export function shownReport({ counts, losses, conflicts, clashes, links, constructs = [], settings }: ReportData = emptyReport) {
  const lists = [losses, conflicts, clashes, links, constructs]
  return {
    counts: { ...counts },
    losses: cut(losses),
    conflicts: cutNamed(conflicts),
    clashes: cutNamed(clashes),
    links: cut(links),
    constructs: byGroup(constructs.slice(0, shown)),
    settings: { ...settings },
    left_out: lists.reduce((sum, list) => sum + Math.max(0, list.length - shown), 0),
  }
}

const emptyReport: ReportData = { counts: {}, losses: [], conflicts: [], clashes: [], links: [] }

const cut = (losses: readonly Loss[]) => losses.slice(0, shown).map((one) => ({ ...one, where: [...one.where] }))
const byGroup = (constructs: readonly Construct[]) =>
  constructs.map((one) => ({ ...one })).sort((one, other) => (one.group < other.group ? -1 : one.group > other.group ? 1 : 0))
const cutNamed = (list: readonly Named[]) => list.slice(0, shown).map((one) => ({ ...one }))
