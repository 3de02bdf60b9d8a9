// The row of a run, from its first record to its report.

import { createHash } from 'node:crypto'
import { isUndone } from '../../../activity/undone.ts'
import { jsonText } from '../../../base/json.ts'
import type { ActivityFacts } from '../../../activity/record.ts'
import { type Caller, nameOf } from '../../../identity/caller.ts'
import type { Report } from '../../../imports/behind/report.ts'
import { findUnfinished, insertRun, phases, updateRun } from '../../../imports/behind/runs.ts'
import { newId } from '../../../store/core/ids.ts'
import type { ImportRunRow } from '../../../store/core/schema.ts'
import type { Context } from '../../call/action.ts'
import type { Services } from '../../call/services.ts'
import { commit } from '../../call/commit.ts'
import type { OpenedImport } from '../open-import.ts'
import type { ImportOptions } from '../options.ts'
import { factsOf, runName } from './import-job.ts'

/** Returns the interrupted run of the same files and options, or a new one with its record. */
export async function beginRun(
  context: Context,
  { file, files, format }: OpenedImport,
  options: ImportOptions,
): Promise<ImportRunRow> {
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
    options: jsonText({ ...settled, file }),
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
    record(wholeRecord(caller, now, row.activity_id, { format: format.name, file: row.file, ...settled }))
  })
  return row
}

/** Writes the record of an import without a row, such as that of a folder. @returns its id, of which its calls are parts */
export async function recordWhole(site: Services, caller: Caller, input: Readonly<Record<string, unknown>>): Promise<string> {
  const now = site.clock.now()
  const id = newId(now)
  await commit(site, runName, ({ record }) => Promise.resolve(record(wholeRecord(caller, now, id, input))))
  return id
}

/** The record of an import. What it makes is recorded as parts, which one undo takes back. */
const wholeRecord = (caller: Caller, now: number, id: string, input: Readonly<Record<string, unknown>>): ActivityFacts => ({
  ...factsOf({ caller }, now),
  id,
  records: [],
  isWhole: true,
  input,
})

/** Ends a run with its report. @returns the row */
export async function endRun({ site }: Context, id: string, report: Report): Promise<ImportRunRow> {
  const now = site.clock.now()
  const patch = { state: 'done', phase: 'report', report: jsonText(report.data()), updated_at: now, finished_at: now }
  await updateRun(site.store.write, id, patch)
  return site.store.read.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
