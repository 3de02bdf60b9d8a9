// Streams a request body, within a size and a time, with backpressure. The body is never in memory as a whole.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpFailure } from './failure.ts'
import { announcesBody, clientLeft, tooLarge } from './read-body.ts'
import type { Sweep } from './sweep.ts'

/** The limits of a body that is streamed. */
export interface StreamLimits {
  readonly maxBytes: number
  /** The time in which the whole request body must arrive. */
  readonly seconds: number
  /** The least amount that must arrive in each interval, so that a slow sender does not hold resources for long. */
  readonly pace: { readonly bytes: number; readonly seconds: number }
}

/**
 * Streams the request body. If the consumer ends early, the writer drains the rest.
 * @throws HttpFailure `too_large`, at once if the announced length is too large; `timeout`; `client_left`
 */
export async function* streamBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  { maxBytes, seconds, pace }: StreamLimits,
  { sweep, awaitsContinue }: { readonly sweep: Sweep; readonly awaitsContinue: boolean },
): AsyncGenerator<Uint8Array> {
  if (!announcesBody(incoming)) return
  if (Number(incoming.headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
  if (incoming.destroyed) throw clientLeft()
  if (awaitsContinue) response.writeContinue()
  const chunks: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false })
  let size = 0
  let failure: HttpFailure | undefined
  let refuse: (failure: HttpFailure) => void = () => undefined
  const expire = (late: HttpFailure) => {
    failure ??= late
    refuse(failure)
  }
  // A race against one promise for the whole body would keep every chunk until the end.
  const nextChunk = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      refuse = reject
      if (failure) return reject(failure)
      chunks.next().then(resolve, () => reject(clientLeft()))
    })
  const whole = sweep.watch(seconds, () => expire(tooSlow(`The body did not arrive within ${seconds} seconds.`)))
  let step = sweep.watch(pace.seconds, () => checkPace(0))
  const checkPace = (before: number): void => {
    if (size - before < pace.bytes) return expire(tooSlow('The body arrives too slowly.'))
    const now = size
    step = sweep.watch(pace.seconds, () => checkPace(now))
  }
  try {
    for (;;) {
      const next = await nextChunk()
      if (next.done === true) return
      size += next.value.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      yield next.value
    }
  } finally {
    sweep.unwatch(whole)
    sweep.unwatch(step)
    // Settles when the awaited chunk has arrived; until then no other code reads.
    chunks.return?.().catch(() => undefined)
  }
}

const tooSlow = (message: string): HttpFailure => new HttpFailure('timeout', message)
