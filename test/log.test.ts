// Log lines: one event is one line, and no credential stands in it, whatever was logged.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createErrorLog } from '../src/error-log.ts'
import { createLog, type Level } from '../src/log.ts'

function collect(level: Level = 'debug') {
  const lines: string[] = []
  return {
    lines,
    log: createLog(
      level,
      (line) => void lines.push(line),
      () => Date.parse('2026-11-21T09:00:00Z'),
    ),
  }
}

test('attack 123: any text is one escaped line of JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { lines, log } = collect()
      log.info('asked', { text: `${text}\r\n\u001b[31m\u009b\u007f\u2028` })
      assert.equal(lines.length, 1)
      // eslint-disable-next-line no-control-regex
      assert.doesNotMatch(lines[0] ?? '', /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
      assert.doesNotThrow(() => JSON.parse(lines[0] ?? '') as unknown)
    }),
  )
})

const secret = 'pst_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
for (const [what, fields] of [
  ['a token', { token: secret }],
  ['a token amid a text', { text: `seen ${secret}, twice ${secret}` }],
  ['an access token in a query', { target: '/mcp/?access_token=hunter2secret&x=1' }],
  ['a code in a query', { target: '/cb?code=hunter2secret&state=1' }],
  ['an Authorization header', { header: 'Bearer hunter2secret' }],
  ['a password in a form', { body: 'email=a&password=hunter2secret' }],
  ['an error that names one', { error: new Error(`bad ${secret}`, { cause: new Error('Bearer hunter2secret') }) }],
] as const) {
  test(`attacks 73, 123: ${what} is masked`, () => {
    const { lines, log } = collect()
    log.error('failed', fields)
    assert.doesNotMatch(lines.join(), /hunter2secret|A{20}/)
    assert.equal((JSON.parse(lines[0] ?? '') as { event: string }).event, 'failed')
  })
}

test('quieter lines than the level are not written', () => {
  const { lines, log } = collect('warn')
  log.debug('one')
  log.info('two')
  log.warn('three')
  log.error('four')
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { event: string }).event),
    ['three', 'four'],
  )
})

test('the error log keeps warnings and errors, turns over by size and keeps so many old files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
  try {
    const sink = createErrorLog(folder, { maxBytes: 100, kept: 2 })
    sink('quiet', 'info')
    for (let at = 0; at < 20; at++) sink(`line ${at} ${'x'.repeat(40)}`, 'error')
    const names = (await readdir(folder)).sort()
    assert.deepEqual(names, ['postern-errors.log', 'postern-errors.log.1', 'postern-errors.log.2'])
    const present = await readFile(join(folder, 'postern-errors.log'), 'utf8')
    assert.match(present, /line 19 /)
    assert.doesNotMatch(present, /quiet/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
