// The line that a request leaves in the access log: put together by hand, and still one line of JSON whatever was asked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccessLog, requestLine } from '../../src/app/answered.ts'
import type { AnswerRecord } from '../../src/http/exchange.ts'
import { codePoint, fc } from '../properties.ts'

const record: AnswerRecord = {
  request: undefined,
  client: '192.0.2.7',
  method: 'GET',
  path: '/about',
  status: 200,
  bytes: 12,
  durationMs: 1.26,
  door: 'site',
}
const at = Date.parse('2026-11-21T09:00:00Z')
const clock = { now: () => at }

test('a line has the members of any other, and those of the request', () => {
  assert.deepEqual(JSON.parse(requestLine(at, record)), {
    at: '2026-11-21T09:00:00.000Z',
    level: 'info',
    event: 'request',
    door: 'site',
    method: 'GET',
    path: '/about',
    status: 200,
    bytes: 12,
    ms: 1.3,
    client: '192.0.2.7',
  })
})

test('attack 123: any path is one line of JSON without control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (path) => {
      const line = requestLine(at, { ...record, path: `/${path}` })
      // eslint-disable-next-line no-control-regex
      assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/)
      assert.equal((JSON.parse(line) as { event: string }).event, 'request')
    }),
  )
})

test('attacks 73, 123: a token in a path is blanked wherever it stands', () => {
  const token = `pst_${'A'.repeat(43)}`
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      assert.doesNotMatch(requestLine(at, { ...record, path: before + token + after }), /A{20}/)
    }),
  )
})

test('lines are handed on together, soon, each with its mark; none waits after the end', async () => {
  const written: string[] = []
  const log = createAccessLog(clock, (text) => void written.push(text), '<6>')
  log.onAnswer(record)
  log.onAnswer(record)
  assert.deepEqual(written, [])
  while (written.length === 0) await sleep(10)
  assert.match(written[0] ?? '', /^<6>\{.*\}\n<6>\{.*\}\n$/)
  log.onAnswer(record)
  log.close()
  log.onAnswer(record)
  assert.equal(written.length, 3)
})

test('many requests at once do not wait for the time to pass', () => {
  const written: string[] = []
  const log = createAccessLog(clock, (text) => void written.push(text))
  for (let at = 0; at < 600; at++) log.onAnswer(record)
  assert.equal(written.length, 2)
  log.close()
  assert.equal(written.join('').split('\n').length, 601)
})
