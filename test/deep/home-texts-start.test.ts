// The start after an upgrade, as an owner has it: two processes start on a site whose front page has its texts in settings of the theme. The site
// moves them once, and never again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../home-template.ts'
import { usesPostgres } from '../postgres.ts'
import { readObjects, writeRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const values = {
  hero_title: 'Clocks, repaired',
  service_1_title: 'Repair',
  service_1_text: 'Of all kinds.',
  service_1_link: '/contact',
}

/** Runs something on a home that no process has open. */
async function onHome(work: (home: string, token: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'postern-test-'))
  try {
    await work(home, await fillHome(home, usesPostgres))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function fill(home: string, token: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await using site = await openSite({ home })
  const page = (title: string) =>
    site.call('SVC_Content.create', { type: 'page', title, status: 'published', body: `Words of ${title}.` }, { token })
  await page('Welcome')
  await page('Contact')
  await site.call('SVC_Settings.update', { set: { home: '/welcome' } }, { token })
  await site.call('SVC_Themes.activate', { id: 'business' }, { token })
  await site.stop()
  await writeRows(home, "update theme set settings = ? where slug = 'business'", [JSON.stringify(settings)])
}

const turn = 'texts of the home page'
const mainOf = async (site: TestSite) => /<main[^>]*>([^]*)<\/main>/.exec((await site.send('/', { token: null })).text)?.[1] ?? ''
const movesOf = async (site: TestSite, token: string): Promise<{ id: string }[]> =>
  (await site.call('SVC_Activity.list', { limit: 50 }, { token })).items.filter(
    ({ call }: { call: string }) => call === 'SVC_Themes.move-texts',
  )

/** Starts a site, and waits until it has looked for due work. @returns true if the move was among it */
async function looks(home: string, token: string, work: (site: TestSite) => Promise<void> = async () => {}): Promise<boolean> {
  await writeRows(home, `delete from job where name in ('unused media', '${turn}')`)
  await using site = await openSite({ home })
  const turns = async (): Promise<string[]> =>
    (await site.call('SVC_Jobs.list', { limit: 100 }, { token })).items.map(({ id }: { id: string }) => id)
  await until('a look at due work', async () => (await turns()).includes('unused media'))
  await work(site)
  return (await turns()).includes(turn)
}

/** All objects, without the fact that the texts were moved, which an undo leaves. */
async function objectsOf(home: string): Promise<unknown> {
  const { site_fact: facts = [], ...tables } = await readObjects(home)
  return { ...tables, facts: facts.filter(({ name }) => name !== 'home_texts_moved') }
}

test('two processes that start at once move the texts once, one undo brings all back, and a later start leaves it', () =>
  onHome(async (home, token) => {
    await fill(home, token, values)
    const objects = await objectsOf(home)
    const open = () => openSite({ home, ownProcess: true })
    {
      const [one, two] = await Promise.all([open(), open()])
      await using _one = one
      await using _two = two
      await until('the move', async () => (await movesOf(one, token)).length > 0)
      const moved = await mainOf(one)
      assert.match(
        moved,
        /<section class="section is-hero[^]*Clocks, repaired[^]*<a href="[^"]*\/contact">Repair<[^]*Words of Welcome/,
      )
      await until('the page at the other process', async () => (await mainOf(two)).includes('is-hero'))
      const [move, ...others] = await movesOf(two, token)
      assert.deepEqual(others, [])
      await two.call('SVC_Activity.undo', { ids: [move?.id] }, { token })
    }
    assert.deepEqual(await objectsOf(home), objects)
    const again = await looks(home, token, async (site) => {
      assert.match(await mainOf(site), /<h1>Clocks, repaired<\/h1>[^]*>Repair<[^]*Words of Welcome/)
      assert.equal((await movesOf(site, token)).length, 1)
    })
    assert.equal(again, false)
    assert.deepEqual(await objectsOf(home), objects)
  }))

test('a site without texts of its own is not written to', () =>
  onHome(async (home, token) => {
    await fill(home, token, { hero_button: 'Write', hero_link: '/contact', hero_title: '', hero_image: null })
    const objects = await readObjects(home)
    assert.equal(await looks(home, token), false)
    assert.deepEqual(await readObjects(home), objects)
  }))

test('texts wait while a change of the home page waits, and move at a later start', () =>
  onHome(async (home, token) => {
    await fill(home, token, values)
    await writeRows(home, "insert into site_fact (name, value) values ('home_texts_moved', 'not yet')")
    {
      await using site = await openSite({ home })
      await site.call('SVC_Content.update', { id: '/welcome', body: 'New words.', stage: true }, { token })
    }
    await writeRows(home, "delete from site_fact where name = 'home_texts_moved'")
    const asked = await looks(home, token, async (site) => {
      const result = async () => (await site.call('SVC_Jobs.get', { id: turn }, { token })).item.result
      await until('the turn', async () => (await result()) !== null)
      assert.match((await result()).waits, /Changes of \/welcome wait to be published/)
      assert.match(await mainOf(site), /<h1>Clocks, repaired<\/h1>[^]*Words of Welcome/)
      await site.call('SVC_Content.publish', { id: '/welcome' }, { token })
    })
    assert.equal(asked, true)
    await looks(home, token, async (site) => {
      await until('the move', async () => (await movesOf(site, token)).length === 1)
      assert.match(await mainOf(site), /is-hero[^]*Clocks, repaired[^]*New words/)
    })
  }))
