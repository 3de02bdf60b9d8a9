// Status and times of an entry: what is asked of them, and what they become.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TimingRequest, newTiming, settleTiming, type Timing } from '../../../src/content/entries/status.ts'
import { Failure } from '../../../src/base/failure.ts'

const now = 1000
const past = 500
const ahead = 2000
const timing = (status: string, published_at: number | null = null, unpublish_at: number | null = null): Timing => ({
  status,
  published_at,
  unpublish_at,
})

const rows: readonly (readonly [rule: string, before: Timing, asked: TimingRequest, after: Timing])[] = [
  ['nothing asked changes nothing', timing('scheduled', past), {}, timing('scheduled', past)],
  ['publishing dates what has no date', newTiming, { status: 'published' }, timing('published', now)],
  ['publishing keeps a date that is past', timing('draft', past), { status: 'published' }, timing('published', past)],
  [
    'a future date makes published mean scheduled',
    newTiming,
    { status: 'published', published_at: ahead },
    timing('scheduled', ahead),
  ],
  [
    'a date ahead on a published entry schedules it anew',
    timing('published', past),
    { published_at: ahead },
    timing('scheduled', ahead),
  ],
  [
    'a date past on a scheduled entry publishes it',
    timing('scheduled', ahead),
    { published_at: past },
    timing('published', past),
  ],
  ['a cleared date on a scheduled entry makes it a draft', timing('scheduled', ahead), { published_at: null }, timing('draft')],
  ['a cleared date on a published entry is now', timing('published', past), { published_at: null }, timing('published', now)],
  ['a draft keeps the date planned for it', newTiming, { published_at: ahead }, timing('draft', ahead)],
  ['leaving the public ends a schedule', timing('scheduled', ahead, 3000), { status: 'draft' }, timing('draft')],
  [
    'leaving the public keeps a date that is past',
    timing('published', past, ahead),
    { status: 'private' },
    timing('private', past),
  ],
  [
    'an entry may be published until a time',
    newTiming,
    { status: 'published', unpublish_at: ahead },
    timing('published', now, ahead),
  ],
  ['publishing forgets an end that is past', timing('draft', null, past), { status: 'published' }, timing('published', now)],
  [
    'what came out when scheduled may be said again',
    timing('published', past),
    { status: 'scheduled', published_at: past },
    timing('published', past),
  ],
]
for (const [rule, before, asked, after] of rows) test(rule, () => assert.deepEqual(settleTiming(before, asked, now), after))

const refused: readonly (readonly [rule: string, asked: TimingRequest, field: string])[] = [
  ['scheduled needs a time', { status: 'scheduled' }, 'published_at'],
  ['scheduled needs a time ahead', { status: 'scheduled', published_at: past }, 'published_at'],
  ['an end must lie ahead', { status: 'published', unpublish_at: past }, 'unpublish_at'],
  ['an end comes after the beginning', { status: 'published', published_at: ahead, unpublish_at: 1500 }, 'unpublish_at'],
]
for (const [rule, asked, field] of refused) {
  test(rule, () =>
    assert.throws(
      () => settleTiming(newTiming, asked, now),
      (error) => error instanceof Failure && error.detail.field === field,
    ),
  )
}
