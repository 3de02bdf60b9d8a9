// SVC_Import.run: a job in slices. It begins with a reading of everything but the texts, and then goes from phase to phase.

import { Type } from 'typebox'
import { jsonText } from '../../base/json.ts'
import { closed } from '../../base/schema.ts'
import { isUndone } from '../../activity/undone.ts'
import { Report, type ReportData } from '../../imports/behind/report.ts'
import { type Phase, phases, updateRun } from '../../imports/behind/runs.ts'
import { createTextConverter } from '../../imports/behind/text-converter.ts'
import type { Db } from '../../store/core/database.ts'
import type { ImportRunRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { type OpenedImport, planImport, prepareImport, withImport } from './open-import.ts'
import { type ImportOptions, runInput } from './options.ts'
import { importAuthors } from './run/authors.ts'
import { importEntries } from './run/entries.ts'
import { fetchFiles, settleTexts } from './run/fetch.ts'
import { importFiles } from './run/files.ts'
import { own } from './own.ts'
import { beginRun, endRun } from './run/begin-run.ts'
import { createImportJob, type ImportJob, runName, runSummary } from './run/import-job.ts'
import { importLinks } from './run/links.ts'
import { importPeople } from './run/people.ts'
import { importTerms } from './run/terms.ts'
import { makeRoom } from './run/types.ts'
import { reportAnswer, reportProperties } from './report-answer.ts'

export const run = action(runName, {
  title: 'Import [{title}|another site]',
  summary: `${runSummary} Run again with a newer export, it updates what nobody changed here.`,
  did: 'imported [{title}|another site]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'unprocessable', 'unreachable', 'too_large'],
  touches: 'unlimited',
  job: true,
  outside: true,
  batchable: false,
  input: closed(runInput),
  output: Type.Object({
    run: Type.String({ description: 'SVC_Import.get with this id has the report.' }),
    counts: reportProperties.counts,
    ...writeProperties,
  }),
  examples: [
    { title: 'The file that was uploaded last, without asking the old site', input: { file: 'latest', media: 'files' } },
  ],
  async run(context, options) {
    if (context.dryRun) return withImport(context, options, (opened) => tryAll(context, opened, options))
    const row = await withImport(context, options, async (opened) =>
      opened.format.isOwn ? (await own()).takeBack(context, opened, options) : importAll(context, opened, options),
    )
    return { run: row.id, counts: reportAnswer(row).counts, warnings: [], activity_id: row.activity_id }
  },
})

/** Counts what would come. SVC_Import.inspect also reads the texts. */
async function tryAll(context: Context, opened: OpenedImport, options: ImportOptions) {
  if (opened.format.isOwn) {
    const { counts } = await (await own()).inspectedOwn(context, opened, options)
    return { run: '', counts, warnings: [], activity_id: null }
  }
  const { report } = await prepareImport(context, opened, options, '')
  return { run: '', counts: { ...report.data().counts }, warnings: [], activity_id: null }
}

/** Imports everything, from where an interrupted run of the same call has stopped. */
async function importAll(context: Context, opened: OpenedImport, options: ImportOptions): Promise<ImportRunRow> {
  const { site } = context
  const row = await beginRun(context, opened, options)
  const converter = createTextConverter(site.log)
  try {
    const prepared = await prepareImport(context, opened, options, row.id)
    const report = new Report(row.report === '' ? undefined : (JSON.parse(row.report) as ReportData))
    const isPlanned = phases.indexOf(row.phase as Phase) > phases.indexOf('plan')
    const at = isPlanned ? { phase: row.phase as Phase, done: row.done } : { phase: 'authors' as const, done: 0 }
    if (!isPlanned && row.done === 0) await makeRoom(context, row, { ...prepared, options, report })
    const places = await planImport(context, { ...prepared, ...opened }, options, isPlanned ? new Report() : report)
    if (!isPlanned) await updateRun(site.store.write, row.id, { ...at, report: jsonText(report.data()) })
    const job = createImportJob({
      context,
      id: row.id,
      activityId: row.activity_id,
      options,
      ...opened,
      ...prepared,
      places,
      report,
      converter,
      undoneRuns: await readUndone(site.store.read, prepared.items.source),
      at,
    })
    await runPhases(job)
    report.add(prepared.scanned.report.data())
    return await endRun(context, row.id, report)
  } catch (error) {
    const state = context.signal.aborted ? 'cancelled' : 'failed'
    await updateRun(site.store.write, row.id, { state, updated_at: site.clock.now() })
    throw error
  } finally {
    await converter.close()
  }
}

async function runPhases(job: ImportJob): Promise<void> {
  await importAuthors(job)
  await importTerms(job)
  await importFiles(job)
  await importEntries(job)
  await importLinks(job)
  await importPeople(job)
  await fetchFiles(job)
  await settleTexts(job)
}

/** The runs of an old site that were undone. */
async function readUndone(db: Db, source: string): Promise<ReadonlySet<string>> {
  const runs = await db.selectFrom('import_run').select(['id', 'activity_id']).where('source', '=', source).execute()
  const undone = new Set<string>()
  for (const { id, activity_id: activity } of runs) if (await isUndone(db, activity)) undone.add(id)
  return undone
}
