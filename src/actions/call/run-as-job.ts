// Runs actions whose work may outlast the call as jobs. A call that ends within some seconds gets its normal answer. A longer call
// gets `{job}`, and the work continues without the caller.

import { nameOf, ownerOf } from '../../identity/caller.ts'
import { hasEnded } from '../../identity/has-ended.ts'
import { JsonText, jsonText } from '../../base/json.ts'
import { findJob, findKeyedJob } from '../../jobs/job-store.ts'
import type { JobControl, JobOrder, JobRules, StartedJob } from '../../jobs/jobs.ts'
import { callName, type Shown } from './action.ts'
import type { Around, Call } from './call.ts'
import type { CallState } from './call-state.ts'
import { hashOf, keyReused } from './idempotency.ts'
import type { StoreServices } from './services.ts'

/**
 * The longest arguments that are stored. Of longer ones, such as a package in base64, only a hash is stored, and the job can't be
 * retried.
 */
const maxKeptLength = 64 * 1024

/** The milliseconds between two reads of a job's row, while a call waits for a job of another process. */
const lookMs = 250

/**
 * Runs a call as a job and waits for it as long as the door allows.
 * @param run does the work and returns the answer
 * @param repeats false if running the whole work again would repeat what is done
 * @returns the answer, or `{job}` if the work takes longer
 * @throws Failure of the work while the caller waits; `key_reused` if another call runs under this idempotency key
 */
export async function runAsJob(
  state: CallState,
  run: (control: JobControl) => Promise<JsonText>,
  repeats = true,
): Promise<JsonText> {
  const { site, action, caller, around } = state
  const { jobWaitMs: waitMs = site.config.POSTERN_JOB_WAIT_SECONDS * 1000, restarts } = around
  const order = orderOf(state, repeats)
  const other = await findSame(state, order)
  if (other) return waitForRow(site, other, waitMs, around.signal)
  const work = async (control: JobControl) => (await run(watched(control, around))).text
  const rules: JobRules = {
    stored: (text) => storedResult(state, text),
    hasEnded: () => hasEnded(site.store.read, caller),
  }
  const starting = restarts === undefined ? site.jobs.start(order, work, rules) : site.jobs.restart(restarts, work, rules)
  const job = await starting.catch((error: unknown) => {
    // A health check must run even if the database accepts no writes, to report why.
    if (action.effect !== 'read') throw error
    site.log.warn('job not stored', { call: order.call, error })
  })
  return job ? waitFor(job, around.signal, waitMs) : run(unstored(around.signal))
}

/** Tells a caller who waits for the job its progress too. */
const watched = (control: JobControl, { onProgress }: Around): JobControl =>
  onProgress === undefined
    ? control
    : {
        id: control.id,
        signal: control.signal,
        progress(progress) {
          control.progress(progress)
          onProgress(progress)
        },
      }

/** The control of a job without a row. Its progress is discarded. */
const unstored = (signal: AbortSignal = new AbortController().signal): JobControl => ({
  id: '',
  signal,
  progress: () => undefined,
})

/** Returns the running job of the same call, which the caller repeated with its idempotency key. */
async function findSame({ site, context }: CallState, order: JobOrder): Promise<string | undefined> {
  if (order.owner === null || order.key === null) return undefined
  const job = await findKeyedJob(site.store.read, order.owner, order.key, context.now)
  if (!job) return undefined
  if (job.call === order.call && job.arguments === order.arguments) return job.id
  throw keyReused(job.created_at)
}

function orderOf(state: CallState, repeats: boolean): JobOrder {
  const { action, caller, call } = state
  const { options } = call
  const open = state.storableInput()
  const hadSecret = Object.keys(open).length < Object.keys(call.input).length
  const key = options.idempotencyKey ?? null
  const text = jsonText({ input: open, options: { ifRevision: options.ifRevision } })
  return {
    call: callName(action),
    arguments: repeats && !hadSecret && text.length <= maxKeptLength ? text : key === null ? null : hashAlone(call),
    account_id: caller.account?.id ?? null,
    token_id: caller.token?.id ?? null,
    by_name: nameOf(caller),
    owner: key === null ? null : ownerOf(caller),
    key,
  }
}

/** Identifies a call by its hash, if its arguments are not stored. */
const hashAlone = (call: Call): string => jsonText({ hash: hashOf(call) })

function storedResult(state: CallState, text: string): string {
  if (!state.action.secrets && !state.action.storable) return text
  return jsonText(state.storableResult(JSON.parse(text) as Shown))
}

/**
 * Waits for a job. A caller who disconnects while waiting cancels it (MCP: a disconnect cancels). After the answer `{job}`, the job
 * continues.
 */
async function waitFor(job: StartedJob, signal: AbortSignal | undefined, waitMs: number): Promise<JsonText> {
  let timer: NodeJS.Timeout | undefined
  const leave = () => job.cancel()
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  const late = new Promise<undefined>((resolve) => {
    if (Number.isFinite(waitMs)) timer = setTimeout(() => resolve(undefined), waitMs)
  })
  try {
    const text = await Promise.race([job.ended, late])
    return text === undefined ? jobAnswer(job.id) : new JsonText(text)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}

async function waitForRow(
  { store }: StoreServices,
  id: string,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<JsonText> {
  const until = performance.now() + waitMs
  const isLeft = () => signal?.aborted === true
  while (performance.now() < until && !isLeft()) {
    const row = await findJob(store.read, id)
    if (row?.state === 'done' && row.result !== null) return new JsonText(row.result)
    if (row?.state !== 'running') return jobAnswer(id, row?.state ?? 'failed')
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return jobAnswer(id)
}

/** The answer without a result, if the job still runs, or if an earlier call started it and it ended without one. */
const jobAnswer = (id: string, state = 'running'): JsonText => {
  const wait = state === 'running' ? ', "wait": 20' : ''
  return new JsonText(jsonText({ job: { id, state, next: `SVC_Jobs.get with {"id": "${id}"${wait}}` } }))
}
