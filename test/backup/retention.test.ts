// Which backups stay, as a table: days, weeks and months that have one, and never without the newest good one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseForgotten, type Kept, usualKeep } from '../../src/backup/retention.ts'
import { fc } from '../properties.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const dayMs = 86_400_000

const at = (time: string, more: Partial<Kept> = {}): Kept => ({
  id: time,
  createdAt: Date.parse(time),
  good: true,
  noted: false,
  ...more,
})

const one = { daily: 1, weekly: 0, monthly: 0 }
const rows: readonly { rule: string; backups: readonly Kept[]; keep: typeof one; gone: readonly string[] }[] = [
  { rule: 'none is none', backups: [], keep: one, gone: [] },
  {
    rule: 'of a day the newest stays',
    backups: [at('2026-11-19T03:00:00Z'), at('2026-11-19T15:00:00Z')],
    keep: one,
    gone: ['2026-11-19T03:00:00Z'],
  },
  {
    rule: 'days without a backup count for none',
    backups: [at('2026-01-01T00:00:00Z'), at('2026-06-01T00:00:00Z')],
    keep: { ...one, daily: 2 },
    gone: [],
  },
  {
    rule: 'what is younger than a day stays',
    backups: [at('2026-11-20T12:00:01Z'), at('2026-11-20T13:00:00Z'), at('2026-11-21T11:00:00Z')],
    keep: one,
    gone: [],
  },
  {
    rule: 'weeks begin on Monday, in UTC',
    backups: [at('2026-11-08T23:59:00Z'), at('2026-11-09T00:00:00Z'), at('2026-11-15T23:59:00Z'), at('2026-11-16T00:00:00Z')],
    keep: { daily: 1, weekly: 3, monthly: 0 },
    gone: ['2026-11-09T00:00:00Z'],
  },
  {
    rule: 'of a month the newest stays',
    backups: [at('2026-08-01T00:00:00Z'), at('2026-08-31T00:00:00Z'), at('2026-09-30T00:00:00Z'), at('2026-10-31T00:00:00Z')],
    keep: { daily: 1, weekly: 0, monthly: 3 },
    gone: ['2026-08-01T00:00:00Z'],
  },
  {
    rule: 'a bad one keeps nobody’s place, and goes when it is a day old',
    backups: [
      at('2026-11-19T03:00:00Z'),
      at('2026-11-19T15:00:00Z', { good: false }),
      at('2026-11-21T11:00:00Z', { good: false }),
    ],
    keep: one,
    gone: ['2026-11-19T15:00:00Z'],
  },
  {
    rule: 'the newest good one stays however old',
    backups: [at('2020-01-01T00:00:00Z')],
    keep: { daily: 0, weekly: 0, monthly: 0 },
    gone: [],
  },
  {
    rule: 'one with a note stays',
    backups: [at('2026-11-18T03:00:00Z', { noted: true }), at('2026-11-19T15:00:00Z')],
    keep: one,
    gone: [],
  },
]
for (const { rule, backups, keep, gone } of rows) {
  test(rule, () => assert.deepEqual(chooseForgotten(backups, keep, now), gone))
}

test('a backup a night for a year comes down to 7 days, 4 weeks and 6 months', () => {
  let kept: Kept[] = []
  for (let night = 364; night >= 0; night--) {
    const time = now - night * dayMs
    kept.push({ id: String(night).padStart(3, '0'), createdAt: time, good: true, noted: false })
    const gone = chooseForgotten(kept, usualKeep, time)
    kept = kept.filter(({ id }) => !gone.includes(id))
  }
  assert.ok(kept.length >= 13 && kept.length <= 17, String(kept.length))
  assert.deepEqual(
    kept.slice(-7).map(({ id }) => id),
    ['006', '005', '004', '003', '002', '001', '000'],
  )
  const months = new Set(kept.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 7)))
  assert.equal(months.size, 6)
})

test('whatever there is, the newest good one and what is young stay, and asking again changes nothing', () => {
  const backup = fc.record({
    createdAt: fc.integer({ min: now - 400 * dayMs, max: now }),
    good: fc.boolean(),
    noted: fc.boolean(),
  })
  const keep = fc.record({ daily: fc.nat(10), weekly: fc.nat(10), monthly: fc.nat(10) })
  fc.assert(
    fc.property(fc.array(backup, { maxLength: 40 }), keep, (facts, asked) => {
      const backups = facts.map((one, number) => ({ ...one, id: String(number) }))
      const gone = chooseForgotten(backups, asked, now)
      const left = backups.filter(({ id }) => !gone.includes(id))
      const newest = backups.filter(({ good }) => good).toSorted((a, b) => b.createdAt - a.createdAt)[0]
      if (newest) assert.ok(left.some(({ createdAt, good }) => good && createdAt === newest.createdAt))
      for (const { id, createdAt } of backups) if (gone.includes(id)) assert.ok(now - createdAt >= dayMs)
      assert.deepEqual(chooseForgotten(left, asked, now), [])
    }),
  )
})
