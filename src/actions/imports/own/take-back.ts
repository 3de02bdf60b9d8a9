// Restores an export of Postern onto a site, in a job. All calls are parts of one record, so that one undo takes them back. After
// an interruption the comparison leaves out what is done already.

import { jsonText } from '../../../base/json.ts'
import { Report, type ReportData } from '../../../imports/behind/report.ts'
import { updateRun } from '../../../imports/behind/runs.ts'
import { nextTurn } from '../../../imports/behind/turns.ts'
import type { ImportRunRow } from '../../../store/core/schema.ts'
import type { Context } from '../../call/action.ts'
import { checkDeadline, partsStay } from '../../call/deadline.ts'
import type { OpenedImport } from '../open-import.ts'
import type { ImportOptions } from '../options.ts'
import { beginRun, endRun } from '../run/begin-run.ts'
import { countEntries } from './inspect-own.ts'
import { aroundPart, makeCalls } from './make-calls.ts'
import { countCall, notePlan } from './note-own.ts'
import { withOwn } from './with-own.ts'
import { readMark } from '../../../exports/read-mark.ts'

/** Brings everything of an export onto the site, and deletes nothing. @returns the row of the run, with its report */
export async function takeBack(context: Context, opened: OpenedImport, options: ImportOptions): Promise<ImportRunRow> {
  const { site, caller, origin, signal, progress } = context
  return withOwn(context, opened, options, async (own) => {
    const row = await beginRun(context, opened, options)
    const report = new Report(row.report === '' ? undefined : (JSON.parse(row.report) as ReportData))
    if (row.report === '') {
      countEntries(own, report)
      notePlan(own, options, report)
    }
    const source = readMark(own.wanted).url ?? opened.files.name
    await updateRun(site.store.write, row.id, { source, phase: 'entries', report: jsonText(report.data()) })
    const total = own.plan.stages.flat().length
    let done = 0
    try {
      const { failed } = await makeCalls(
        {
          site,
          caller,
          folder: own.folder,
          aroundOf: (call) => aroundPart(call, row.activity_id, { origin, signal, jobWaitMs: Infinity }),
          async onMade(call) {
            countCall(report, call, !own.present.has(call.path))
            await updateRun(site.store.write, row.id, { report: jsonText(report.data()), updated_at: site.clock.now() })
            progress?.({ done: ++done, total, note: 'changes' })
            await nextTurn()
            checkDeadline(context, partsStay)
          },
        },
        own.plan.stages,
      )
      for (const { call, failure } of failed) report.loss('call', call.path, `${call.call}: ${failure.message}`)
      return await endRun(context, row.id, report)
    } catch (error) {
      const state = signal.aborted ? 'cancelled' : 'failed'
      await updateRun(site.store.write, row.id, { state, updated_at: site.clock.now() })
      throw error
    }
  })
}
