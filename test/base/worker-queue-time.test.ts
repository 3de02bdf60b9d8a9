// The time limit of a job counts the processor time that the machine gave: a job that waits for a busy machine is not ended, one that computes is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { createWorkerQueue, type FromWorker } from '../../src/base/worker-queue.ts'
import { createLog } from '../../src/base/log.ts'

/** A queue of one job that is answered after some turns of the limit. @param share the part of the time that the machine gives */
function queueOf(share: number, answerAfterMs: number) {
  const timeoutMs = 20
  const started = performance.now()
  return createWorkerQueue<string, string>({
    timeoutMs,
    idleMs: 1000,
    maxWaiting: 10,
    log: createLog('error', () => undefined),
    words: { thread: 'the thread', job: 'a job', verb: 'do' },
    facts: () => ({}),
    failures: {
      full: () => new Failure('unavailable', 'full'),
      tooMuch: (what) => new Failure('unprocessable', what),
      broken: () => new Failure('failed', 'broken'),
    },
    open({ message }) {
      setImmediate(() => message({ kind: 'ready' }))
      return {
        send: (job) => void setTimeout(() => message({ kind: 'done', answer: job } satisfies FromWorker<string>), answerAfterMs),
        ref() {},
        unref() {},
        end() {},
        spentMs: () => (performance.now() - started) * share,
      }
    },
  })
}

test('a job to which the machine gave little time is not ended at the limit', async () => {
  const queue = queueOf(0, 50)
  assert.equal(await queue.put('answer'), 'answer')
  await queue.close()
})

test('a job that computed all the time is ended at the limit', async () => {
  const queue = queueOf(1.5, 60_000)
  await assert.rejects(queue.put('answer'), /takes longer than 20 ms to do/)
  await queue.close()
})

test('a job that nobody answers is ended after some turns of the limit', async () => {
  const queue = queueOf(0, 60_000)
  await assert.rejects(queue.put('answer'), /takes longer than 20 ms to do/)
  await queue.close()
})
