// Skills through dispatch, on a real home: rows and files agree, whichever was changed, also by undo and by another process.

import assert from 'node:assert/strict'
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import { anonymous, system } from '../../src/identity/caller.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

const folderOf = (site: TestSite): string => join(site.home, 'user-content', 'skills')
const fileOf = (site: TestSite, slug = 'style'): string => join(folderOf(site), `${slug}.md`)
const textOf = (site: TestSite, slug = 'style'): Promise<string> => readFile(fileOf(site, slug), 'utf8')
const style = { slug: 'style', when: 'Before writing', text: 'Be short.\n' }

/** Lets as much time go by as lies between two looks. */
const later = (site: TestSite): void => void (site.clock.at += 2000)

test('put writes a row and its file, and the same again changes nothing', async () => {
  await using site = await openTestSite()
  const put = await site.ok('SVC_Skills.put', style)
  assert.deepEqual([put.created, put.item], [true, { id: 'style', slug: 'style', when: 'Before writing', revision: 1 }])
  assert.equal(await textOf(site), '---\nwhen: Before writing\n---\n\nBe short.\n')
  assert.equal((await lstat(fileOf(site))).mode & 0o777, 0o644)
  assert.deepEqual(await readdir(folderOf(site)), ['style.md'])
  const again = await site.ok('SVC_Skills.put', style)
  assert.deepEqual([again.created, again.changed, again.activity_id], [false, [], null])
})

test('list is lean unless it is asked for more; get tells everything', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Skills.put', style)
  const reader = site.as('read')
  assert.deepEqual((await site.ok('SVC_Skills.list', {}, reader)).items, [
    { id: 'style', slug: 'style', when: 'Before writing', revision: 1 },
  ])
  assert.deepEqual((await site.ok('SVC_Skills.list', { select: ['slug', 'text'] }, reader)).items, [
    { slug: 'style', text: 'Be short.\n' },
  ])
  assert.equal((await site.ok('SVC_Skills.get', { id: 'style' }, reader)).item.text, 'Be short.\n')
  assert.equal((await site.fails('SVC_Skills.get', { id: 'none' }, reader)).code, 'not_found')
})

test('undo of a put and of a delete brings the files back too', async () => {
  await using site = await openTestSite()
  const made = await site.ok('SVC_Skills.put', style)
  const changed = await site.ok('SVC_Skills.put', { ...style, text: 'Be long.\n' })
  await site.ok('SVC_Activity.undo', { ids: [changed.activity_id] })
  assert.match(await textOf(site), /Be short\./)
  const gone = await site.ok('SVC_Skills.delete', { id: 'style' })
  assert.deepEqual(await readdir(folderOf(site)), [])
  await site.ok('SVC_Activity.undo', { ids: [gone.activity_id] })
  assert.match(await textOf(site), /Be short\./)
  await site.ok('SVC_Activity.undo', { ids: [made.activity_id], force: true })
  assert.deepEqual(await readdir(folderOf(site)), [])
})

test('a dry run and a call that fails write no file', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Skills.put', { ...style, dry_run: true })
  await site.fails('SVC_Skills.put', { ...style, slug: '../style' })
  await site.fails('SVC_Skills.put', { ...style, text: 'é'.repeat(40_000) })
  assert.deepEqual(await readdir(folderOf(site)), [])
})

test('a file that the owner adds, edits and removes is a change by Postern, which undo takes back', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Skills.list')
  later(site)
  await writeFile(fileOf(site), 'Be kind.')
  assert.deepEqual(
    (await site.ok('SVC_Skills.list')).items.map(({ slug }: { slug: string }) => slug),
    ['style'],
  )
  assert.equal(await textOf(site), 'Be kind.', 'the owner’s form of it stays')
  later(site)
  await writeFile(fileOf(site), '---\nwhen: Always\n---\nBe kinder.')
  const { item } = await site.ok('SVC_Skills.get', { id: 'style' })
  assert.deepEqual([item.when, item.text, item.revision], ['Always', 'Be kinder.', 2])
  later(site)
  await rm(fileOf(site))
  assert.deepEqual((await site.ok('SVC_Skills.list')).items, [])
  const { items } = await site.ok('SVC_Activity.list', { select: ['id', 'call', 'by', 'door'] })
  const mine = items.filter(({ call }: { call: string }) => call.startsWith('SVC_Skills.'))
  assert.deepEqual(
    mine.map(({ call, door }: Record<string, string>) => [call, door]),
    [
      ['SVC_Skills.delete', 'system'],
      ['SVC_Skills.put', 'system'],
      ['SVC_Skills.put', 'system'],
    ],
  )
  await site.ok('SVC_Activity.undo', { ids: [mine[0].id] })
  assert.match(await textOf(site), /Be kinder\./)
})

test('an edit is found by put at once and by welcome too, at most once a second', async () => {
  await using site = await openTestSite()
  const reader = site.as('read')
  assert.deepEqual((await site.ok('SVC_API.welcome', {}, reader)).skills, [])
  await writeFile(fileOf(site), '---\nwhen: Always\n---\nBe kind.')
  assert.deepEqual((await site.ok('SVC_API.welcome', {}, reader)).skills, [])
  later(site)
  const welcome = await site.ok('SVC_API.welcome', {}, reader)
  assert.deepEqual(welcome.skills, [{ slug: 'style', when: 'Always' }])
  assert.ok(welcome.next.some(({ call }: { call: string }) => call === 'SVC_Skills.get'))
  await writeFile(fileOf(site), '---\nwhen: Always\n---\nBe kinder.')
  assert.equal((await site.ok('SVC_Skills.put', style)).item.revision, 3)
  assert.equal('skills' in (await site.ok('SVC_API.welcome', {}, anonymous('api', '127.0.0.1'))), false)
})

test('undo does not write over what the owner edited meanwhile', async () => {
  await using site = await openTestSite()
  const { activity_id: id } = await site.ok('SVC_Skills.put', style)
  const { activity_id: laterId } = await site.ok('SVC_Skills.put', { ...style, text: 'Be long.\n' })
  later(site)
  await writeFile(fileOf(site), '---\nwhen: Before writing\n---\n\nBe kind.')
  assert.equal((await site.fails('SVC_Activity.undo', { ids: [laterId] })).code, 'conflict')
  assert.equal((await site.fails('SVC_Activity.undo', { ids: [id] })).code, 'conflict')
  assert.match(await textOf(site), /Be kind\./)
})

test('a file whose name is no skill’s takes no skill with it when it goes', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Skills.put', style)
  const draft = join(folderOf(site), 'style-v2')
  await writeFile(draft, 'Be long.')
  later(site)
  await site.ok('SVC_Skills.list')
  await rm(draft)
  later(site)
  const { items } = await site.ok('SVC_Skills.list')
  assert.deepEqual(items, [{ id: 'style', slug: 'style', when: 'Before writing', revision: 1 }])
})

test('files that make no sense are left alone, and told to the log once', async () => {
  await using site = await openTestSite()
  const folder = folderOf(site)
  await writeFile(join(site.home, 'secret'), 'secret')
  await symlink(join(site.home, 'secret'), join(folder, 'link.md'))
  await mkdir(join(folder, 'folder.md'))
  await writeFile(join(folder, 'Bad Name.md'), 'x')
  await writeFile(join(folder, 'binary.md'), Buffer.from([0xff, 0xfe]))
  await writeFile(join(folder, 'long.md'), 'a'.repeat(70_000))
  await writeFile(join(folder, '.style.md.swp'), 'x')
  for (let look = 0; look < 3; look++) {
    assert.deepEqual((await site.ok('SVC_Skills.list')).items, [])
    later(site)
  }
  const log = await readFile(join(site.home, 'user-content', 'logs', 'postern-errors.log'), 'utf8')
  const told = log.split('\n').filter((line) => line.includes('skill file is invalid'))
  assert.deepEqual(told.map((line) => (JSON.parse(line) as { file: string }).file).sort(), [
    'Bad Name.md',
    'binary.md',
    'folder.md',
    'link.md',
    'long.md',
  ])
  assert.equal((await readdir(folder)).length, 6)
})

test('at the first look a missing file is written anew, and a file older than its row too', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Skills.put', style)
  await site.ok('SVC_Skills.put', { ...style, slug: 'other' })
  await rm(fileOf(site, 'other'))
  // A process that ended between its commit and its file.
  const aheadMs = Date.now() + 60_000
  await site.site.store.write
    .updateTable('skill')
    .set({ text: 'Newer.', updated_at: aheadMs, revision: 2 })
    .where('slug', '=', 'style')
    .execute()
  const other = await site.other()
  await dispatch(other, { ...system, door: 'cli' }, { name: 'SVC_Skills.list', input: {}, options: {} }, { origin: '' })
  assert.match(await textOf(site), /Newer\./)
  assert.match(await textOf(site, 'other'), /Be short\./)
})

test('two processes: what one writes the other shows, and takes for no edit', async () => {
  await using site = await openTestSite()
  const other = await site.other()
  const there = async (name: string, input = {}) => {
    const outcome = await dispatch(other, { ...system, door: 'cli' }, { name, input, options: {} }, { origin: '' })
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return outcome.data.parse() as any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions
  }
  await there('SVC_Skills.list')
  for (const text of ['one', 'two', 'three']) {
    await site.ok('SVC_Skills.put', { ...style, text })
    later(site)
    assert.equal((await there('SVC_Skills.get', { id: 'style' })).item.text, text)
  }
  await there('SVC_Skills.delete', { id: 'style' })
  later(site)
  assert.deepEqual((await site.ok('SVC_Skills.list')).items, [])
  const { items } = await site.ok('SVC_Activity.list', { select: ['door'] })
  assert.ok(items.every(({ door }: { door: string }) => door !== 'system'))
})

test('a skill is written within a batch, beside what an earlier call answered', async () => {
  await using site = await openTestSite()
  later(site)
  await writeFile(fileOf(site, 'edited'), 'x')
  const calls = [
    { action: 'SVC_Skills.put', arguments: style },
    { action: 'SVC_Skills.get', arguments: { id: '$0.item.slug' } },
  ]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.equal(results[1].item.text, 'Be short.\n')
  assert.match(await textOf(site), /Be short\./)
})

test('skills are the owner’s: a content token reads them and writes none', async () => {
  await using site = await openTestSite()
  assert.equal((await site.fails('SVC_Skills.put', style, site.as('content'))).code, 'unknown_action')
  assert.equal((await site.fails('SVC_Skills.list', {}, anonymous('api', '127.0.0.1'))).code, 'unknown_action')
})
