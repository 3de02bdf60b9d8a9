// The site's settings: what they take, who sees them, how a change arrives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from '../../src/identity/caller.ts'
import { releaseOf } from '../../src/base/release.ts'
import { definitionOf, settingKeys } from '../../src/settings/definitions.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { until } from '../until.ts'

const goodValues = {
  site_title: ['', 'The Corner Shop', 'Ärger & <b>'],
  language: ['en', 'pt-br', 'zh-Hant-TW'],
  time_zone: ['UTC', 'Europe/Berlin'],
  posts_per_page: [1, 100],
  instructions: ['Be brief.\n\tAlways.'],
  mcp_origins: [[], ['https://claude.ai', 'http://localhost:3000']],
  allowed_sources: [[], ['https://maps.example.org']],
  cache_seconds: [0, 3600],
} as const

const badValues = {
  site_title: [1, 'a\nb', 'x'.repeat(201), '\ud800', '\u0000'],
  language: ['', 'english language', 'e', 'en_US', 7],
  time_zone: ['Mars/Olympus', '+01:00', ''],
  posts_per_page: [0, 101, 1.5, '10', 1e9],
  instructions: ['\u0000', 'x'.repeat(10_001)],
  mcp_origins: ['https://claude.ai', ['claude.ai'], ['https://claude.ai/'], ['https://claude.ai/x'], ['ftp://x'], [1]],
  allowed_sources: [
    'https://a.example',
    ['http://a.example'],
    ['https://a.example/x'],
    ['https://a.example; script-src *'],
    ['*'],
  ],
  cache_seconds: [-1, 3601, '1'],
} as const

for (const [key, values] of Object.entries(goodValues)) {
  test(`${key} takes ${values.map((value) => JSON.stringify(value)).join(', ')}`, () => {
    for (const value of values)
      assert.ok('value' in definitionOf(key as keyof typeof goodValues).parse(value), JSON.stringify(value))
  })
}

for (const [key, values] of Object.entries(badValues)) {
  test(`${key} takes nothing else`, () => {
    for (const value of values)
      assert.ok('expected' in definitionOf(key as keyof typeof badValues).parse(value), JSON.stringify(value))
  })
}

test('a time zone is a setting from 0.11 on, and UTC before', async () => {
  assert.deepEqual(
    ['0.9', '0.10', '0.11', '1'].map((name) => settingKeys(releaseOf(name as '1')).includes('time_zone')),
    [false, false, true, true],
  )
  await using on = await openTestSite({ POSTERN_COMPAT: '0.10' })
  assert.equal((await on.fails('SVC_Settings.update', { set: { time_zone: 'Europe/Berlin' } })).code, 'invalid')
})

test('a change holds at once here, and a moment later in another process; null brings the default back', async () => {
  await using on = await openTestSite()
  const other = await on.other()
  const answer = await on.ok('SVC_Settings.update', { set: { site_title: 'Shop', posts_per_page: 10 } })
  assert.deepEqual([answer.item, answer.changed], [{ site_title: 'Shop', posts_per_page: 10 }, ['site_title']])
  assert.equal(on.site.settings.values.site_title, 'Shop')
  await until('the other has it', () => other.settings.values.site_title === 'Shop')
  const { changed } = await on.ok('SVC_Settings.update', { set: { site_title: null, site_tagline: null } })
  assert.deepEqual(changed, ['site_title'])
  assert.equal(on.site.settings.values.site_title, 'My site')
})

test('all settings of an update change, or none', async () => {
  await using on = await openTestSite()
  const failure = await on.fails('SVC_Settings.update', { set: { site_title: 'Shop', posts_per_page: 0 } })
  assert.deepEqual(
    [failure.code, failure.field, failure.expected],
    ['invalid', 'set.posts_per_page', 'a whole number from 1 to 100'],
  )
  assert.equal(on.site.settings.values.site_title, 'My site')
})

test('an unknown key names the nearest, and what the environment fixes is refused', async () => {
  await using on = await openTestSite()
  assert.deepEqual((await on.fails('SVC_Settings.update', { set: { sitetitle: 'x' } })).nearest, ['site_title'])
  for (const key of ['POSTERN_BASE_URL', 'base_url', 'port'])
    assert.equal((await on.fails('SVC_Settings.update', { set: { [key]: 'x' } })).code, 'refused', key)
  for (const key of ['__proto__', 'constructor', 'toString']) {
    const set = JSON.parse(`{"${key}": "x"}`) as Record<string, unknown>
    assert.equal((await on.fails('SVC_Settings.update', { set })).code, 'invalid', key)
  }
})

test('the home page is kept by its id, and one that is not public is told', async () => {
  await using on = await openTestSite()
  const { item } = await on.ok('SVC_Content.create', { type: 'page', title: 'Start' })
  const answer = await on.ok('SVC_Settings.update', { set: { home: '/start' } })
  assert.equal(on.site.settings.values.home, item.id)
  assert.deepEqual(
    answer.warnings.map(({ code }: { code: string }) => code),
    ['not_public'],
  )
  assert.equal((await on.fails('SVC_Settings.update', { set: { home: '/nowhere' } })).code, 'not_found')
})

test('addresses on social networks are completed, and what is no address of the web is refused', async () => {
  await using on = await openTestSite()
  const given = ['mastodon.social/@anna', ' https://www.instagram.com/anna ']
  const answer = await on.ok('SVC_Settings.update', { set: { social_links: given, site_address: 'Mill Lane 4\nAlma' } })
  assert.deepEqual(answer.item.social_links, ['https://mastodon.social/@anna', 'https://www.instagram.com/anna'])
  assert.equal(on.site.settings.values.site_address, 'Mill Lane 4\nAlma')
  const many = Array.from({ length: 21 }, (_, at) => `https://a${at}.example`)
  for (const wrong of [
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['//'],
    ['anna'],
    ['https://anna:secret@a.example/'],
    ['https://a.example', 'a.example'],
    many,
    'https://a.example',
  ])
    assert.equal(
      (await on.fails('SVC_Settings.update', { set: { social_links: wrong } })).field,
      'set.social_links',
      String(wrong),
    )
  assert.equal((await on.fails('SVC_Settings.update', { set: { site_address: 'a\u0000b' } })).code, 'invalid')
})

test("security's own settings are for admins, and nobody lists settings without a token", async () => {
  await using on = await openTestSite()
  const keys = async (caller = on.admin) =>
    ((await on.ok('SVC_Settings.list', {}, caller)).items as { key: string }[]).map(({ key }) => key)
  assert.ok((await keys()).includes('mcp_origins'))
  assert.ok(!(await keys(on.as('content'))).includes('mcp_origins'))
  assert.equal((await on.fails('SVC_Settings.list', {}, anonymous('api', ''))).code, 'unknown_action')
  assert.equal((await on.fails('SVC_Settings.update', { set: { site_title: 'x' } }, on.as('content'))).code, 'unknown_action')
})
