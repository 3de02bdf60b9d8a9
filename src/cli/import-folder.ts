// `postern import` of a folder that `postern export` wrote and somebody may have edited since: makes the site equal to it.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dispatch } from '../actions/call/dispatch.ts'
import type { Failure } from '../base/failure.ts'
import type { PlannedCall } from '../exports/folder-sides.ts'
import type { Site } from '../app/compose.ts'
import type { Caller } from '../identity/caller.ts'
import type { Io } from './command.ts'
import { exit } from './exit.ts'
import { callerFor, originOf } from './open-site.ts'

export interface FolderOptions {
  readonly 'delete-missing': boolean
  readonly 'dry-run': boolean
  readonly as: string | undefined
  readonly json: boolean
}

/** Makes the site equal to a folder. @returns an exit code */
export async function importFolder(io: Io, site: Site, folder: string, values: FolderOptions): Promise<number> {
  const { exportParts } = await import('../actions/exports/parts.ts')
  const { readFolderFiles, readPresentFiles } = await import('../exports/folder-files.ts')
  const { planFolder } = await import('../exports/folder-plan.ts')
  const { siteFiles } = await import('../exports/site-files.ts')
  const wanted = await readFolderFiles(folder)
  const present = await readPresentFiles(siteFiles(exportParts(site, { tier: 'admin' }, originOf(site.config))))
  const plan = planFolder({ folder: wanted, site: present, deleteMissing: values['delete-missing'] })
  const caller = await callerFor(site, values.as)
  const done = values['dry-run'] ? { calls: plan.stages.flat(), failed: [] } : await runStages(site, caller, folder, plan.stages)
  tell(io, values, { ...done, passedOver: plan.passedOver })
  return done.failed.length > 0 ? exit.refused : exit.ok
}

interface Failed {
  readonly call: PlannedCall
  readonly failure: Failure
}

interface Done {
  readonly calls: readonly PlannedCall[]
  readonly failed: readonly Failed[]
}

/** Makes the calls stage by stage. Failed calls are made again after the others of their stage, as long as one of them succeeds. */
async function runStages(site: Site, caller: Caller, folder: string, stages: readonly (readonly PlannedCall[])[]): Promise<Done> {
  const calls: PlannedCall[] = []
  const failed: Failed[] = []
  for (const stage of stages) {
    let left: Failed[] = []
    for (let asked = stage; asked.length > 0; asked = left.map(({ call }) => call)) {
      left = []
      for (const call of asked) {
        const failure = await makeCall(site, caller, folder, call)
        if (failure) left.push({ call, failure })
        else calls.push(call)
      }
      if (left.length === asked.length) break
    }
    failed.push(...left)
  }
  return { calls, failed }
}

async function makeCall(site: Site, caller: Caller, folder: string, planned: PlannedCall): Promise<Failure | undefined> {
  const { call: name, path, sendsFile } = planned
  const file = sendsFile ? await fileInput(site, folder, path, name) : {}
  const outcome = await dispatch(
    site,
    caller,
    { name, input: { ...planned.input, ...file }, options: {} },
    { origin: originOf(site.config), jobWaitMs: Infinity },
  )
  return outcome.ok ? undefined : outcome.failure
}

/** Returns the arguments that give the file of a call: an upload, or base64 for a theme and its files. */
async function fileInput(site: Site, folder: string, path: string, call: string): Promise<Record<string, unknown>> {
  if (call === 'SVC_Themes.create') {
    const { zipFolder } = await import('../exports/zip.ts')
    return { base64: (await zipFolder(resolve(folder, path))).toString('base64') }
  }
  if (call === 'SVC_Themes.write') return { base64: (await readFile(resolve(folder, path))).toString('base64') }
  const { keepIncoming } = await import('../media/incoming.ts')
  const { maxFileBytes } = await import('../actions/media/arrival.ts')
  const stream = createReadStream(resolve(folder, path))
  const { id } = await keepIncoming(site.config.POSTERN_HOME, stream, maxFileBytes(site), site.clock.now())
  return { upload_id: id }
}

function tell(
  io: Io,
  { json, 'dry-run': dryRun }: { readonly json: boolean; readonly 'dry-run': boolean },
  { calls, failed, passedOver }: Done & { readonly passedOver: readonly { readonly path: string; readonly why: string }[] },
): void {
  const lines = calls.map(({ call, path }) => ({ call, path }))
  const faults = failed.map(({ call: { call, path }, failure }) => ({ call, path, message: failure.message }))
  if (json) {
    io.out(`${JSON.stringify({ [dryRun ? 'would_call' : 'called']: lines, failed: faults, passed_over: passedOver })}\n`)
    return
  }
  for (const { call, path } of lines) io.out(`${call} ${path}\n`)
  for (const { path, why } of passedOver) io.err(`${path}: passed over, because ${why}.\n`)
  for (const { call, path, message } of faults) io.err(`${path}: ${call} failed. ${message}\n`)
  const made = `${lines.length} ${lines.length === 1 ? 'call' : 'calls'}`
  io.err(dryRun ? `${made} would be made.\n` : `${made} made, ${faults.length} failed.\n`)
}
