import assert from 'node:assert/strict'
import test from 'node:test'
import { toDate } from 'date-fns-tz/toDate'
import { fc } from '../properties.ts'
import { formatDate, isTimeZone, parseDate, parseRelativeDate } from '../../src/settings/time-zone.ts'

const read = (text: string, zone = 'UTC', edge: 'start' | 'end' = 'start'): string | undefined => {
  const ms = parseDate(text, zone, edge)
  return ms === undefined ? undefined : formatDate(ms)
}

const readings: readonly (readonly [rule: string, text: string, zone: string, utc: string])[] = [
  ['an offset counts, whatever the zone', '2026-11-21T08:00:00+02:00', 'America/New_York', '2026-11-21T06:00:00.000Z'],
  ['Z is UTC', '2026-11-21T08:00Z', 'America/New_York', '2026-11-21T08:00:00.000Z'],
  ['a blank may stand for T', '2026-11-21 08:00', 'Europe/Berlin', '2026-11-21T07:00:00.000Z'],
  ['what is finer than a millisecond is cut off', '2026-11-21T08:00:00.1239999Z', 'UTC', '2026-11-21T08:00:00.123Z'],
  ['Berlin in summer', '2026-07-01T12:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
  ['Berlin skips 02:30, which moves forward to 03:30', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['Berlin has 02:30 twice, and the first counts', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['Berlin at the end of the repeated hour', '2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['New York skips 02:30, which moves forward', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['New York has 01:30 twice, and the first counts', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['Lord Howe skips half an hour', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  ['Lord Howe repeats half an hour, and the first counts', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ['Apia skipped a day, which moves forward', '2011-12-30T10:00', 'Pacific/Apia', '2011-12-30T20:00:00.000Z'],
  ['Apia before and after that day', '2011-12-29T23:59', 'Pacific/Apia', '2011-12-30T09:59:00.000Z'],
  ['a skipped midnight is the first moment of its day', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
]

for (const [rule, text, zone, utc] of readings) {
  test(`${rule}: ${text} in ${zone}`, () => assert.equal(read(text, zone), utc))
}

test('a bare date is its day’s start, or its end where that is asked', () => {
  assert.equal(read('2026-11-21', 'Europe/Berlin'), '2026-11-20T23:00:00.000Z')
  assert.equal(read('2026-11-21', 'Europe/Berlin', 'end'), '2026-11-21T22:59:59.999Z')
  assert.equal(read('2026-10-25', 'Europe/Berlin', 'end'), '2026-10-25T22:59:59.999Z')
  assert.equal(read('2026-11-21T10:00', 'UTC', 'end'), '2026-11-21T10:00:00.000Z')
})

const refused = [
  '',
  'now',
  '2026',
  '2026-11',
  '2026-1-1',
  '2026-02-30',
  '2026-13-01',
  '2026-11-21T',
  '2026-11-21T24:00',
  '2026-11-21T10',
  '2026-11-21T10:60',
  '2026-11-21T10:00:60Z',
  '2026-11-21T10:00:00.Z',
  '2026-11-21T10:00+2',
  '2026-11-21T10:00+0200',
  '2026-11-21T10:00+24:00',
  '2026-11-21t10:00z',
  ' 2026-11-21',
  '2026-11-21\n',
  '2026-11-21Z',
  '0999-01-01',
  '+002026-11-21',
  '9999-12-31T23:59-01:00',
  '٢٠٢٦-11-21',
  '2026-11-21T10:00:00.1234567890Z',
]

test('anything but these forms is no date', () => {
  for (const text of refused) assert.equal(parseDate(text, 'UTC', 'start'), undefined, JSON.stringify(text))
})

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
]
const instant = fc.integer({
  min: Date.parse('1000-01-02T00:00Z'),
  max: Date.parse('9999-12-30T00:00Z'),
})

test('what goes out comes in again, in every zone', () => {
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (ms, zone) => assert.equal(parseDate(formatDate(ms), zone, 'end'), ms)),
  )
})

/** The wall time of an instant as `Intl` writes it in Swedish, which is ISO 8601. */
function wallTime(ms: number, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(ms)
}

const recent = fc
  .integer({
    min: Date.parse('1995-01-01T00:00Z') / 1000,
    max: Date.parse('2037-01-01T00:00Z') / 1000,
  })
  .map((s) => s * 1000)

test('a wall time leads back to its instant, or to the first of two', () => {
  fc.assert(
    fc.property(recent, fc.constantFrom(...zones), (ms, zone) => {
      const wall = wallTime(ms, zone)
      const back = parseDate(wall, zone, 'start')
      assert.ok(back !== undefined && back <= ms && ms - back <= 3_600_000, wall)
      assert.equal(wallTime(back, zone), wall)
    }),
  )
})

test('date-fns-tz reads the same, away from changes of offset', () => {
  fc.assert(
    fc.property(recent, fc.constantFrom(...zones), (ms, zone) => {
      fc.pre(wallTime(ms + 86_400_000, zone).slice(11) === wallTime(ms, zone).slice(11))
      fc.pre(wallTime(ms - 86_400_000, zone).slice(11) === wallTime(ms, zone).slice(11))
      assert.equal(parseDate(wallTime(ms, zone), zone, 'start'), toDate(wallTime(ms, zone), { timeZone: zone }).getTime())
    }),
  )
})

test('a day’s end is one millisecond before the next day’s start', () => {
  fc.assert(
    fc.property(recent, fc.constantFrom(...zones), (ms, zone) => {
      const day = formatDate(ms).slice(0, 10)
      const next = formatDate(Date.parse(day) + 86_400_000).slice(0, 10)
      assert.equal((parseDate(day, zone, 'end') ?? 0) + 1, parseDate(next, zone, 'start'))
    }),
  )
})

test('a time zone has a name, and an offset is none', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])
    assert.equal(isTimeZone(name), true, name)
  for (const name of ['', '+02:00', 'Mars/Olympus', 'Europe/Berlin\n', '../etc', 'x'.repeat(100)])
    assert.equal(isTimeZone(name), false, name)
})

const relatives: readonly (readonly [rule: string, text: string, zone: string, now: string, utc: string | undefined])[] = [
  ['days', '-7d', 'UTC', '2026-11-21T10:00:00Z', '2026-11-14T10:00:00.000Z'],
  [
    'days through a change of summer time keep the time of day',
    '-1d',
    'Europe/Berlin',
    '2026-03-29T10:00:00Z',
    '2026-03-28T11:00:00.000Z',
  ],
  ['hours are hours all the same', '-24h', 'Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-28T10:00:00.000Z'],
  ['weeks', '-2w', 'UTC', '2026-11-21T10:00:00Z', '2026-11-07T10:00:00.000Z'],
  ['minutes', '-30min', 'UTC', '2026-01-15T10:00:00Z', '2026-01-15T09:30:00.000Z'],
  ['minutes ahead, over midnight', '+90min', 'Europe/Berlin', '2026-01-15T23:00:00Z', '2026-01-16T00:30:00.000Z'],
  ['minutes are of the clock of the world', '-30min', 'Europe/Berlin', '2026-03-29T01:10:00Z', '2026-03-29T00:40:00.000Z'],
  ['months', '-1mo', 'UTC', '2026-01-15T10:00:00Z', '2025-12-15T10:00:00.000Z'],
  ['a shorter month ends it on its last day', '-1mo', 'UTC', '2026-03-31T10:00:00Z', '2026-02-28T10:00:00.000Z'],
  ['months are those of the zone', '-1mo', 'Pacific/Auckland', '2026-03-31T11:30:00Z', '2026-02-28T11:30:00.000Z'],
  ['years, from a leap day', '-1y', 'UTC', '2028-02-29T10:00:00Z', '2027-02-28T10:00:00.000Z'],
  ['ahead', '+1mo', 'UTC', '2026-12-31T10:00:00Z', '2027-01-31T10:00:00.000Z'],
  ['nothing before the year 1000', '-9999mo', 'UTC', '1500-01-01T00:00:00Z', undefined],
  ['no sign', '7d', 'UTC', '2026-11-21T10:00:00Z', undefined],
  ['no unit', '-7', 'UTC', '2026-11-21T10:00:00Z', undefined],
  ['an unknown unit', '-7M', 'UTC', '2026-11-21T10:00:00Z', undefined],
  ['a fraction', '-1.5d', 'UTC', '2026-11-21T10:00:00Z', undefined],
]

for (const [rule, text, zone, now, utc] of relatives) {
  test(`a relative date, ${rule}: ${text}`, () => {
    const found = parseRelativeDate(text, zone, Date.parse(now))
    assert.equal(found === undefined ? undefined : formatDate(found), utc)
  })
}
