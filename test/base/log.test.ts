// Log lines: one event is one line, and no credential stands in it, whatever was logged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { codePoint, fc } from '../properties.ts'
import { Failure } from '../../src/base/failure.ts'
import { createLog, type Level } from '../../src/base/log.ts'
import { maskSecrets } from '../../src/base/mask.ts'

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
    fc.property(fc.string({ unit: codePoint }), (text) => {
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
  [
    'a token behind a line end, a tab and an escape',
    { text: `\n${secret}\t${secret}\u0001${secret} %3D${secret} x=%0A${secret}` },
  ],
  ['a bearer behind a tab', { text: 'authorization:\tBearer\thunter2secret' }],
  ['a password in JSON', { text: '{"password": "hunter2secret"}', inner: { password: '"hunter2secret' } }],
  ['a password in an escaped query', { path: '/x?next=%2Flogin%3Fpassword%3Dhunter2secret' }],
  ['a cookie', { text: 'GET / HTTP/1.1\r\nCookie: session=hunter2secret\r\n' }],
  ['a password in an address', { url: 'postgres://me:hunter2secret@db.example/x' }],
  ['a password behind a quote in JSON', { text: JSON.stringify({ password: 'a"hunter2secret' }) }],
  [
    'a key, a secret and a new password by the names of their fields',
    { 'X-Api-Key': 'hunter2secret', newPassword: ['hunter2secret'] },
  ],
  ['the cookies and the credential of headers', { headers: { cookie: 'a=hunter2secret', authorization: 'Key hunter2secret' } }],
  ['a cookie with quotes', { text: 'set-cookie: a="hunter2secret"; b="hunter2secret"' }],
  [
    'a password as node prints it',
    { text: inspect({ key: 'hunter2secret', apiKey: "it's hunter2secret", password: 'hunter2secret' }) },
  ],
  ['a password in a line of settings', { text: 'user = me\npassword = hunter2secret\nSECRET: hunter2secret' }],
  ['a JSON Web Token', { path: '/in/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyc2VjcmV0In0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['a link for one use', { path: '/admin/set-up?link=psl_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['an error that names one', { error: new Error(`bad ${secret}`, { cause: new Error('Bearer hunter2secret') }) }],
] as const) {
  test(`attacks 73, 123: ${what} is masked`, () => {
    const { lines, log } = collect()
    log.error('failed', fields)
    assert.doesNotMatch(lines.join(), /hunter2secret|A{20}/)
    assert.equal((JSON.parse(lines[0] ?? '') as { event: string }).event, 'failed')
  })
}

test('attack 123: a token is masked in any text, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (before, after) => {
      const { lines, log } = collect()
      log.info(`asked ${before}${secret}`, { text: before + secret + after, [before + secret]: 1 })
      assert.doesNotMatch(lines.join(), /A{20}/)
      assert.doesNotThrow(() => JSON.parse(lines[0] ?? '') as unknown)
    }),
  )
})

test('attack 123: a password is masked whatever is in it, printed as an object or as JSON within JSON, and the line stays JSON', () => {
  const marked = fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...'ab \\"\'`{}[]:,=\n%é') }),
      fc.string({ unit: fc.constantFrom(...'ab \\"\'`\n') }),
    )
    .map(([before, after]) => `${before}HUNTER${after}`)
  const printed = fc.constantFrom<(value: unknown) => string>(JSON.stringify, inspect, (value) =>
    JSON.stringify(JSON.stringify(value)),
  )
  fc.assert(
    fc.property(marked, printed, fc.string(), (password, print, after) => {
      const { lines, log } = collect()
      log.info('asked', { text: `${print({ password, more: 'shown' })} ${after}`, next: 'kept' })
      const line = JSON.parse(lines[0] ?? '') as { text: string; next: string }
      assert.doesNotMatch(line.text, /HUNTER/)
      assert.deepEqual([/shown/.test(line.text), line.next], [true, 'kept'])
      assert.equal(maskSecrets(lines[0] ?? ''), lines[0])
    }),
  )
})

test('what is masked once stays as it is', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(maskSecrets(maskSecrets(text)), maskSecrets(text))))
  const text = `Bearer ${secret}, token=${secret}, {"password":"${secret}"}, Basic YWJjZGVmZw==`
  assert.equal(maskSecrets(maskSecrets(text)), maskSecrets(text))
})

test('what can not be told as JSON is still a line: a cycle, a getter that throws, causes without end', () => {
  const { lines, log } = collect()
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  const endless = new Error('endless')
  endless.cause = endless
  log.error('one', { cycle })
  log.error('two', {
    get bad() {
      throw new Error('no')
    },
  })
  log.error('three', { error: endless, big: 1n })
  const events = lines.map((line) => (JSON.parse(line) as { event: string }).event)
  assert.deepEqual(events, ['one', 'two', 'three'])
})

test('a failure is told with its cause, and an error of several with each', () => {
  const { lines, log } = collect()
  const error = new Failure('unavailable', 'The disk is full.', {}, { cause: new Error('ENOSPC') })
  log.error('failed', { error, several: new AggregateError([new Error('first'), new Error('second')], 'both') })
  const line = JSON.parse(lines[0] ?? '') as Record<string, any> // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions
  assert.deepEqual([line['error'].code, line['error'].cause.message], ['unavailable', 'ENOSPC'])
  assert.deepEqual(
    line['several'].errors.map(({ message }: Error) => message),
    ['first', 'second'],
  )
})

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
