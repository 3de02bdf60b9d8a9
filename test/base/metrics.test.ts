// The registry of numbers: what is counted comes out in Prometheus's text form, whatever labels hold.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../src/base/metrics.ts'
import { fc } from '../properties.ts'

const open = () => {
  const warned: unknown[] = []
  return { warned, metrics: createMetrics({ warn: (event, fields) => void warned.push([event, fields?.['name']]) }) }
}

test('a counter tells each combination of labels by itself', async () => {
  const { metrics } = open()
  const seen = metrics.counter('seen_total', 'Seen.')
  seen({ door: 'api' }).value += 2
  seen({ door: 'mcp' }).value += 1
  seen({ door: 'api' }).value += 1
  assert.equal(
    await metrics.text(),
    '# HELP seen_total Seen.\n# TYPE seen_total counter\nseen_total{door="api"} 3\nseen_total{door="mcp"} 1\n',
  )
})

test('a counter asked for twice is one counter', async () => {
  const { metrics } = open()
  metrics.counter('seen_total', 'Seen.')().value += 1
  metrics.counter('seen_total', 'Seen.')().value += 1
  assert.match(await metrics.text(), /^seen_total 2$/m)
})

test('what is counted by its name has a metric of its own', async () => {
  const { metrics } = open()
  assert.equal(await metrics.text(), '')
  metrics.count('plugin_restarts', { plugin: 'weather' })
  assert.match(await metrics.text(), /^postern_plugin_restarts_total\{plugin="weather"\} 1$/m)
})

test('a bucket of a histogram holds all that is at most its bound', async () => {
  const { metrics } = open()
  const took = metrics.histogram('took_seconds', 'Took.', [0.1, 1])({ door: 'api' })
  for (const value of [0.05, 0.1, 0.5, 7]) took.observe(value)
  const lines = (await metrics.text()).split('\n').slice(2, -1)
  assert.deepEqual(lines, [
    'took_seconds_bucket{door="api",le="0.1"} 2',
    'took_seconds_bucket{door="api",le="1"} 3',
    'took_seconds_bucket{door="api",le="+Inf"} 4',
    'took_seconds_sum{door="api"} 7.65',
    'took_seconds_count{door="api"} 4',
  ])
})

test('what is asked for at each look may answer now or later, with one number, several or none', async () => {
  const { metrics } = open()
  let asked = 0
  metrics.ask('gauge', 'one', 'One.', () => ++asked)
  metrics.ask('gauge', 'several', 'Several.', async () => [
    [{ of: 'a' }, 1],
    [{ of: 'b' }, 2],
  ])
  metrics.ask('gauge', 'none', 'None.', () => undefined)
  await metrics.text()
  const text = await metrics.text()
  assert.match(text, /^one 2$/m)
  assert.match(text, /^several\{of="b"\} 2$/m)
  assert.doesNotMatch(text, /none/)
})

test('one that fails to answer costs itself alone', async () => {
  const { metrics, warned } = open()
  metrics.ask('gauge', 'bad', 'Bad.', () => Promise.reject(new Error('no')))
  metrics.ask('gauge', 'good', 'Good.', () => 1)
  const text = await metrics.text()
  assert.doesNotMatch(text, /bad/)
  assert.match(text, /^good 1$/m)
  assert.deepEqual(warned, [['metric not read', 'bad']])
})

test('any label stays within its line and its quotes', () =>
  fc.assert(
    fc.asyncProperty(fc.string(), async (label) => {
      const { metrics } = open()
      metrics.counter('seen_total', 'Seen.')({ label }).value += 1
      const [, , line = '', ...rest] = (await metrics.text()).split('\n')
      assert.deepEqual(rest, [''])
      const quoted = /^seen_total\{label="((?:[^"\\]|\\[\\"n])*)"\} 1$/.exec(line)?.[1]
      assert.equal(
        quoted?.replace(/\\(.)/g, (_all, c: string) => (c === 'n' ? '\n' : c)),
        label,
      )
    }),
  ))
