// The owner's fields on entries of a list: the same values as on their pages, for the same number of queries however many entries there are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldDefinition } from '../../src/content/types/field-definition.ts'
import type { Frame } from '../../src/site/pages/frame.ts'
import { detailsOf } from '../../src/site/pages/page-data/details.ts'
import { summariesOf } from '../../src/site/pages/page-data/summaries.ts'
import { listedColumns } from '../../src/site/lists/public-entries.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { onlySqlite } from '../sqlite-only.ts'
import { countTrips } from '../store/count-trips.ts'

const drawing = (at: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${at + 1} 10"><circle cx="5" cy="5" r="4"/></svg>`

test(
  'entries of a list have their fields: text, rendered Markdown, images, links to entries; three queries after that of the rows',
  onlySqlite('trips to count'),
  async () => {
    await using on = await openTestSite({}, 'SQLite')
    await on.ok('SVC_Types.create', {
      slug: 'mill',
      name: 'Mills',
      fields: [
        { name: 'sails', kind: 'number' },
        { name: 'notes', kind: 'markdown' },
        { name: 'photo', kind: 'media' },
        { name: 'near', kind: 'entry' },
      ],
    })
    await on.ok('SVC_Content.create', { type: 'page', title: 'Town', status: 'published' })
    const { item: hidden } = await on.ok('SVC_Content.create', { type: 'page', title: 'Draft' })
    const { item: town } = await on.ok('SVC_Content.get', { id: '/town' })
    await on.ok('SVC_Accounts.update', { id: on.owner.id, slug: 'owner', public: true, picture: '/me.jpg' })
    for (let at = 0; at < 5; at++) {
      const { item: photo } = await on.ok('SVC_Media.upload', {
        text: drawing(at),
        filename: `mill-${at}.svg`,
        alt: `Mill ${at}`,
      })
      await on.ok('SVC_Content.create', {
        type: 'mill',
        title: `Mill ${at}`,
        status: 'published',
        body: 'Words.',
        fields: { sails: at, notes: '**Grinds** <script>x</script>', photo: photo.id, near: at === 0 ? hidden.id : town.id },
      })
    }
    const frame: Frame = { site: on.site, origin: 'https://example.org' }
    const rows = await on.site.store.read
      .selectFrom('entry')
      .select(listedColumns)
      .where('type', '=', 'mill')
      .orderBy('id')
      .execute()
    const { entries } = await summariesOf(frame, rows, 'en')
    const [first, second] = entries.map(({ fields }) => fields as Record<string, any>) // oxlint-disable-line no-explicit-any
    assert.deepEqual(
      [first?.['sails'], first?.['near'], second?.['near']],
      [0, null, { title: 'Town', url: 'https://example.org/town' }],
    )
    assert.deepEqual([first?.['photo'].alt, second?.['photo'].url], ['Mill 0', 'https://example.org/media/mill-1.svg'])
    assert.match(first?.['notes'].markup, /<strong>Grinds<\/strong>/)
    assert.doesNotMatch(first?.['notes'].markup, /script/)
    assert.equal(entries[0]?.author?.url, 'https://example.org/author/owner')
    // Of the rows, their authors and the entries and files that they name.
    assert.ok((await countTrips(() => summariesOf(frame, rows, 'en'))) <= 3)
  },
)

test('the page of an entry has the fields with a value in the order of the type; JSON is left out, and no text becomes markup', () => {
  const field = (name: string, kind: FieldDefinition['kind'], more: Partial<FieldDefinition> = {}) => ({ name, kind, ...more })
  const fields = [
    field('place', 'text', { label: 'Place' }),
    field('free', 'boolean'),
    field('seats', 'number', { many: true }),
    field('near', 'entry'),
    field('raw', 'json'),
    field('notes', 'markdown'),
    field('talks', 'group', { many: true, of: [field('speaker', 'text'), field('at', 'date')] }),
  ]
  const values = {
    place: '<b>Hall</b>',
    free: false,
    seats: [0, 4],
    near: null,
    raw: { markup: '<script>' },
    notes: { markup: '' },
    talks: [
      { speaker: 'Ada', at: null },
      { speaker: null, at: null },
    ],
  }
  assert.deepEqual(detailsOf(fields, values), [
    { name: 'place', label: 'Place', kind: 'text', values: ['<b>Hall</b>'] },
    { name: 'free', label: 'free', kind: 'boolean', values: [false] },
    { name: 'seats', label: 'seats', kind: 'number', values: [0, 4] },
    {
      name: 'talks',
      label: 'talks',
      kind: 'group',
      values: [[{ name: 'speaker', label: 'speaker', kind: 'text', values: ['Ada'] }]],
    },
  ])
})
