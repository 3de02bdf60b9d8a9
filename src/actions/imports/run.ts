// SVC_Import.run: a job in slices. It begins with a reading of everything but the texts, and then goes from phase to phase.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { jsonText } from '../../base/json.ts'
import { closed } from '../../base/schema.ts'
import { nameOf } from '../../identity/caller.ts'
import { isUndone } from '../../activity/undone.ts'
import { Report, type ReportData } from '../../imports/behind/report.ts'
import { findUnfinished, insertRun, type Phase, phases, updateRun } from '../../imports/behind/runs.ts'
import { createTextConverter } from '../../imports/behind/text-converter.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { ImportRunRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { commit } from '../call/commit.ts'
import { writeProperties } from '../call/write-answer.ts'
import { type OpenedImport, planImport, prepareImport, withImport } from './open-import.ts'
import { type ImportOptions, runInput } from './options.ts'
import { importAuthors } from './run/authors.ts'
import { importEntries } from './run/entries.ts'
import { fetchFiles, settleTexts } from './run/fetch.ts'
import { importFiles } from './run/files.ts'
import { createImportJob, factsOf, type ImportJob, runName, runSummary } from './run/import-job.ts'
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
    const row = await withImport(context, options, (opened) => importAll(context, opened, options))
    return { run: row.id, counts: reportAnswer(row).counts, warnings: [], activity_id: row.activity_id }
  },
})

/** Counts what would come. SVC_Import.inspect also reads the texts. */
async function tryAll(context: Context, opened: OpenedImport, options: ImportOptions) {
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

/** Returns the interrupted run of the same files and options, or a new one with its record. */
async function beginRun(context: Context, { files, format }: OpenedImport, options: ImportOptions): Promise<ImportRunRow> {
  const { site, caller } = context
  const { file: _file, url: _url, ...settled } = options
  const fingerprint = createHash('sha256')
    .update(jsonText([format.name, settled, files.name, [...files.sizes]]))
    .digest('base64url')
  const unfinished = await findUnfinished(site.store.read, fingerprint)
  const now = site.clock.now()
  if (unfinished && !(await isUndone(site.store.read, unfinished.activity_id))) {
    await updateRun(site.store.write, unfinished.id, { state: 'running', updated_at: now })
    return unfinished
  }
  const row: ImportRunRow = {
    id: newId(now),
    source: '',
    format: format.name,
    file: files.name.slice(0, 300),
    fingerprint,
    options: jsonText(settled),
    by_name: nameOf(caller),
    state: 'running',
    phase: phases[0],
    done: 0,
    progress: '{}',
    report: '',
    activity_id: newId(now),
    created_at: now,
    updated_at: now,
    finished_at: null,
  }
  await commit(site, runName, async ({ db, record }) => {
    await insertRun(db, row)
    const input = { format: format.name, file: row.file, ...settled }
    record({ ...factsOf(context, now), id: row.activity_id, records: [], isWhole: true, input })
  })
  return row
}

async function endRun({ site }: Context, id: string, report: Report): Promise<ImportRunRow> {
  const now = site.clock.now()
  const patch = { state: 'done', phase: 'report', report: jsonText(report.data()), updated_at: now, finished_at: now }
  await updateRun(site.store.write, id, patch)
  return site.store.read.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The runs of an old site that were undone. */
async function readUndone(db: Db, source: string): Promise<ReadonlySet<string>> {
  const runs = await db.selectFrom('import_run').select(['id', 'activity_id']).where('source', '=', source).execute()
  const undone = new Set<string>()
  for (const { id, activity_id: activity } of runs) if (await isUndone(db, activity)) undone.add(id)
  return undone
}
