// Progress of work that takes long: an event stream with a notification for each step, and then the answer. Only a client that
// sends a progress token and takes event streams gets it. @see MCP 2025-11-25, Progress; MCP 2026-07-28, Streamable HTTP

import type { Progress } from '../../jobs/jobs.ts'
import { isObject, jsonText } from '../../base/json.ts'
import { events, type Reply, type ServerEvent } from '../../http/reply.ts'
import type { Admitted } from '../shared/admit.ts'
import { hasAllParts } from '../shared/profiles/protocol-parts.ts'
import { parseCallName } from '../shared/read-call.ts'
import type { RpcRequest } from './message.ts'

/** This action reports the progress of the job that it waits for. */
const jobReader = 'SVC_Jobs.get'

/** Returns the progress token of a request whose call may report progress; undefined if its answer is JSON. */
export function findProgressToken({ site, request }: Admitted, { method, params }: RpcRequest): string | number | undefined {
  const { _meta: meta, arguments: input } = params
  const token = isObject(meta) ? meta['progressToken'] : undefined
  if (method !== 'tools/call' || !isObject(input)) return undefined
  if (typeof token !== 'string' && typeof token !== 'number') return undefined
  if (!hasAllParts(site) || !/\btext\/event-stream\b/i.test(request.header('accept') ?? '')) return undefined
  const name = parseCallName(input) ?? ''
  const action = site.registry.find(name)
  return action?.job === true || action?.slices !== undefined || name === jobReader ? token : undefined
}

/**
 * Returns an event stream: the progress, then the response.
 * @param answer runs the call and returns the response as JSON text
 */
export function replyWithProgress(
  { headers }: Admitted,
  token: string | number,
  answer: (onProgress: (progress: Progress) => void) => Promise<string>,
): Reply {
  return events(stream(token, answer), headers)
}

async function* stream(
  token: string | number,
  answer: (onProgress: (progress: Progress) => void) => Promise<string>,
): AsyncGenerator<ServerEvent> {
  const queue: Progress[] = []
  let wake = (): void => undefined
  let text: string | undefined
  let error: unknown
  const ended = answer((progress) => {
    queue.push(progress)
    wake()
  }).then(
    (said) => void (text = said),
    (thrown: unknown) => void (error = thrown),
  )
  void ended.then(() => wake())
  let last = -1
  for (;;) {
    for (let next = queue.shift(); next; next = queue.shift()) {
      // Progress must increase (MCP 2025-11-25, Progress).
      if (next.done <= last) continue
      last = next.done
      yield { data: notification(token, next) }
    }
    if (error !== undefined) throw error
    if (text !== undefined) break
    await new Promise<void>((resolve) => (wake = resolve))
  }
  yield { data: text }
}

const notification = (progressToken: string | number, { done, total, note }: Progress): string =>
  jsonText({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: {
      progressToken,
      progress: done,
      ...(total !== undefined && { total }),
      ...(note !== undefined && { message: note }),
    },
  })
