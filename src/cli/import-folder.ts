// `postern import` of a folder that `postern export` wrote and somebody may have edited since: makes the site equal to it.

import { basename } from 'node:path'
import type { FailedCall } from '../actions/imports/own/make-calls.ts'
import type { Site } from '../app/compose.ts'
import type { PassedOver, PlannedCall } from '../exports/folder-sides.ts'
import type { Io } from './command.ts'
import { exit } from './exit.ts'
import { callerFor, originOf } from './open-site.ts'
import { progressTeller } from './tell-progress.ts'

export interface FolderOptions {
  readonly 'delete-missing': boolean
  readonly 'dry-run': boolean
  readonly as: string | undefined
  readonly json: boolean
}

/** Makes the site equal to a folder, as one record that one undo takes back. @returns an exit code */
export async function importFolder(io: Io, site: Site, folder: string, values: FolderOptions): Promise<number> {
  const { planOwn } = await import('../actions/imports/own/plan-own.ts')
  const { aroundPart, makeCalls } = await import('../actions/imports/own/make-calls.ts')
  const origin = originOf(site.config)
  const { stages, passedOver } = await planOwn({ site, origin }, folder, values['delete-missing'])
  const caller = await callerFor(site, values.as)
  const total = stages.flat().length
  if (values['dry-run'] || total === 0) {
    tell(io, values, { made: stages.flat(), failed: [], passedOver, activityId: null })
    return exit.ok
  }
  const { recordWhole } = await import('../actions/imports/run/begin-run.ts')
  const activityId = await recordWhole(site, caller, { format: 'postern', file: basename(folder) })
  const tellProgress = progressTeller(io)
  let done = 0
  const calls = await makeCalls(
    {
      site,
      caller,
      folder,
      aroundOf: (call) => aroundPart(call, activityId, { origin, jobWaitMs: Infinity }),
      onMade: () => tellProgress({ done: ++done, total, note: 'changes' }),
    },
    stages,
  )
  tell(io, values, { ...calls, passedOver, activityId })
  return calls.failed.length > 0 ? exit.refused : exit.ok
}

interface Told {
  readonly made: readonly PlannedCall[]
  readonly failed: readonly FailedCall[]
  readonly passedOver: readonly PassedOver[]
  readonly activityId: string | null
}

function tell(
  io: Io,
  { json, 'dry-run': dryRun }: { readonly json: boolean; readonly 'dry-run': boolean },
  { made, failed, passedOver, activityId }: Told,
): void {
  const lines = made.map(({ call, path }) => ({ call, path }))
  const faults = failed.map(({ call: { call, path }, failure }) => ({ call, path, message: failure.message }))
  if (json) {
    const called = { [dryRun ? 'would_call' : 'called']: lines, failed: faults, passed_over: passedOver }
    io.out(`${JSON.stringify({ ...called, activity_id: activityId })}\n`)
    return
  }
  for (const { call, path } of lines) io.out(`${call} ${path}\n`)
  for (const { path, why } of passedOver) io.err(`${path}: passed over, because ${why}.\n`)
  for (const { call, path, message } of faults) io.err(`${path}: ${call} failed. ${message}\n`)
  const count = `${lines.length} ${lines.length === 1 ? 'call' : 'calls'}`
  io.err(dryRun ? `${count} would be made.\n` : `${count} made, ${faults.length} failed.\n`)
  if (activityId !== null) io.err(`postern call SVC_Activity.undo ids='["${activityId}"]'  takes the import back\n`)
}
