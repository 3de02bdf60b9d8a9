// Times on the pages of the admin: how long ago or how far ahead, in the visitor's language, with the exact time in the site's zone beside it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactTime, shownSpan, shownTime } from '../src/admin/parts/time.ts'
import { wordsOf } from '../src/admin/words.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
type Reader = Parameters<typeof shownTime>[0]
const visit = (language = 'en', zone = 'Europe/Berlin'): Reader =>
  ({ now, t: wordsOf({ header: () => language }), site: { settings: { values: { time_zone: zone } } } }) as unknown as Reader

/** What a person reads, and what the title says. */
function readOf(iso: string, reader = visit()): readonly [string, string] {
  const [, datetime, title, words] =
    /<time datetime="(.*?)" title="(.*?)">(.*?)<\/time>/.exec(String(shownTime(reader, iso))) ?? []
  assert.equal(datetime, iso)
  return [words ?? '', title ?? '']
}

const times: readonly (readonly [iso: string, english: string, german: string])[] = [
  ['2026-03-10T11:59:30Z', 'just now', 'gerade eben'],
  ['2026-03-10T11:57:00Z', '3 minutes ago', 'vor 3 Minuten'],
  ['2026-03-10T12:20:00Z', 'in 20 minutes', 'in 20 Minuten'],
  ['2026-03-10T07:00:00Z', '5 hours ago', 'vor 5 Stunden'],
  ['2026-03-09T13:05:00Z', 'yesterday at 14:05', 'gestern um 14:05'],
  // In Berlin it is past midnight.
  ['2026-03-08T23:30:00Z', 'yesterday at 00:30', 'gestern um 00:30'],
  ['2026-03-11T08:00:00Z', 'tomorrow at 09:00', 'morgen um 09:00'],
  ['2026-03-05T08:00:00Z', '5 days ago at 09:00', 'vor 5 Tagen um 09:00'],
  ['2026-02-01T08:00:00Z', '1 Feb, 09:00', '1. Feb., 09:00'],
  ['2026-08-01T08:00:00Z', '1 Aug, 10:00', '1. Aug., 10:00'],
  ['2025-12-24T08:00:00Z', '24 Dec 2025, 09:00', '24. Dez. 2025, 09:00'],
]

for (const [iso, english, german] of times) {
  test(`on 10 March at 13:00 in Berlin, ${iso} reads ${english}`, () => {
    assert.equal(readOf(iso)[0], english)
    assert.equal(readOf(iso, visit('de'))[0], german)
  })
}

test('the title has the exact time in the zone of the site, and a time of a log is exact', () => {
  assert.equal(readOf('2026-03-10T11:57:00Z', visit('en', 'Pacific/Kiritimati'))[1], '11 Mar 2026, 01:57 GMT+14')
  assert.equal(readOf('2026-03-10T11:57:00Z', visit('de', 'UTC'))[1], '10. März 2026, 11:57 UTC')
  assert.match(String(exactTime(visit(), '2026-03-10T11:57:00Z')), />10 Mar 2026, 12:57 CET</)
})

const spans: readonly (readonly [from: string, to: string, english: string, german: string])[] = [
  ['2026-03-10T09:05:00Z', '2026-03-10T09:20:00Z', 'today, 10:05–10:20', 'heute, 10:05–10:20'],
  ['2026-03-09T09:05:00Z', '2026-03-09T09:20:00Z', 'yesterday, 10:05–10:20', 'gestern, 10:05–10:20'],
  ['2026-02-01T09:05:00Z', '2026-02-01T09:20:00Z', '1 Feb 2026, 10:05–10:20', '1. Feb. 2026, 10:05–10:20'],
  ['2026-03-10T09:20:10Z', '2026-03-10T09:20:50Z', '2 hours ago', 'vor 2 Stunden'],
  ['2026-03-09T22:50:00Z', '2026-03-09T23:10:00Z', 'yesterday at 23:50 – 12 hours ago', 'gestern um 23:50 – vor 12 Stunden'],
]

test('a stretch of time is said with its day once', () => {
  const read = (from: string, to: string, reader: Reader) => String(shownSpan(reader, from, to)).replace(/<.*?>/g, '')
  for (const [from, to, english, german] of spans) {
    assert.equal(read(from, to, visit()), english)
    assert.equal(read(from, to, visit('de')), german)
  }
})

test('where there is no time, the page says so', () => {
  assert.equal(String(shownTime(visit('de'), null)), 'nie')
  assert.equal(String(shownTime(visit(), null, '–')), '–')
})
