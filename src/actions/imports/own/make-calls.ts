// Makes the calls that a plan for an export of Postern has, stage by stage.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import type { PlannedCall } from '../../../exports/folder-sides.ts'
import type { Caller } from '../../../identity/caller.ts'
import { maxFileBytes } from '../../media/arrival.ts'
import type { Around } from '../../call/call.ts'
import { dispatch } from '../../call/dispatch.ts'
import type { Services } from '../../call/services.ts'

export interface CallMaker {
  readonly site: Services
  readonly caller: Caller
  /** The folder of the export. */
  readonly folder: string
  aroundOf(call: PlannedCall): Around
  /** Called after a call that succeeded. It may throw to end the work. */
  onMade?(call: PlannedCall): Promise<void> | void
}

/** `put-people` can't be undone, so it is no part of the record that one undo takes back. */
export const aroundPart = ({ call }: PlannedCall, partOf: string, around: Around): Around => ({
  ...around,
  isSlice: true,
  ...(call !== 'SVC_Import.put-people' && { partOf }),
})

export interface FailedCall {
  readonly call: PlannedCall
  readonly failure: Failure
}

/** Makes the calls. Failed calls are made again after the others of their stage, as long as one of them succeeds. */
export async function makeCalls(
  maker: CallMaker,
  stages: readonly (readonly PlannedCall[])[],
): Promise<{ readonly made: readonly PlannedCall[]; readonly failed: readonly FailedCall[] }> {
  const made: PlannedCall[] = []
  const failed: FailedCall[] = []
  for (const stage of stages) {
    let left: FailedCall[] = []
    for (let asked = stage; asked.length > 0; asked = left.map(({ call }) => call)) {
      left = []
      for (const call of asked) {
        const failure = await makeCall(maker, call)
        if (failure) left.push({ call, failure })
        else {
          made.push(call)
          await maker.onMade?.(call)
        }
      }
      if (left.length === asked.length) break
    }
    failed.push(...left)
  }
  return { made, failed }
}

async function makeCall({ site, caller, folder, aroundOf }: CallMaker, planned: PlannedCall): Promise<Failure | undefined> {
  const { call: name, path, sendsFile } = planned
  const file = sendsFile ? await fileInput(site, resolve(folder, path), name) : {}
  const outcome = await dispatch(site, caller, { name, input: { ...planned.input, ...file }, options: {} }, aroundOf(planned))
  if (!outcome.ok) return outcome.failure
  return outcome.pending ? new Failure('refused', 'An admin must approve this part.') : undefined
}

/** Returns the arguments that give the file of a call: an upload, or base64 for a theme and its files. */
async function fileInput(site: Services, path: string, call: string): Promise<Record<string, unknown>> {
  if (call === 'SVC_Themes.create') {
    const { zipFolder } = await import('../../../exports/zip.ts')
    return { base64: (await zipFolder(path)).toString('base64') }
  }
  if (call === 'SVC_Themes.write') return { base64: (await readFile(path)).toString('base64') }
  const { keepIncoming } = await import('../../../media/incoming.ts')
  const { id } = await keepIncoming(site.config.POSTERN_HOME, createReadStream(path), maxFileBytes(site), site.clock.now())
  return { upload_id: id }
}
