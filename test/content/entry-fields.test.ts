// The table of fields is the one place that knows a field: a row that this file adds to it, with its column, is seen everywhere.
// Runs in a process of its own, because the row stays in the table.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { EntryField } from '../../src/content/types/entry-field.ts'
// The table alone. Whatever reads it is imported below, once the rows are in it, as a program does that has them in its source.
import { entryFields } from '../../src/content/types/fields.ts'
import type { ContentSite } from '../actions/content-site.ts'
import { isDeep } from '../deep-run.ts'

const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])

const added: Readonly<Record<string, Omit<EntryField, 'column'> & { readonly column: string }>> = {
  // A text, and a time whose column has another name.
  subtitle: {
    column: 'subtitle',
    stores: 'text',
    blank: null,
    input: orNull(Type.String({ maxLength: 200 })),
    toStored: (text: string) => text.trim(),
    output: orNull(Type.String()),
    list: { sort: true },
    reverts: true,
    inFile: true,
    onPage: true,
    form: { panel: 'address', control: 'line', label: 'Subtitle', help: 'Below the title.' },
  },
  event: {
    column: 'event_at',
    stores: 'time',
    blank: null,
    input: orNull(Type.String()),
    toStored: (text: string) => Date.parse(text),
    output: orNull(Type.String()),
    list: { sort: true },
    lean: true,
    form: { panel: 'publication', control: 'time', label: 'Takes place' },
  },
}
Object.assign(entryFields, added)

let site: ContentSite
let markdownOf: (path: string) => Promise<string>

before(async () => {
  const { openContentSite } = await import('../actions/content-site.ts')
  site = await openContentSite()
  const { write } = site.services.store
  await sql`alter table entry add column subtitle text`.execute(write)
  await sql`alter table entry add column event_at bigint`.execute(write)
  const { entryMarkdown } = await import('../../src/site/pages/public-page.ts')
  markdownOf = async (path) => {
    const row = await site.services.store.read.selectFrom('entry').selectAll().where('path', '=', path).executeTakeFirstOrThrow()
    const { body } = await entryMarkdown({ site: site.services, origin: 'https://example.org' }, row)
    return body && 'bytes' in body ? Buffer.from(body.bytes).toString() : ''
  }
})
after(() => site[Symbol.asyncDispose]())

const create = (title: string, more: Readonly<Record<string, unknown>>) =>
  site.ok('create', { type: 'page', title, status: 'published', ...more })

test('a field that is added to the table is in the input and output schemas of every action that sets or shows entries', async () => {
  for (const name of ['create', 'update', 'get', 'list', 'publish']) {
    const action = site.services.registry.find(`SVC_Content.${name}`)
    assert.ok(action, name)
    const input = action.input.properties
    assert.equal('subtitle' in input && 'event' in input, name === 'create' || name === 'update', name)
    const output = JSON.stringify(action.output)
    assert.ok(output.includes('"subtitle"') && output.includes('"event"'), name)
  }
})

test('an added field is set, converted, cleared and shown; lists have it unasked only where it is lean', async () => {
  const { item } = await create('One', { subtitle: ' First ', event: '2027-01-01T00:00:00Z' })
  assert.equal(item.event, '2027-01-01T00:00:00.000Z')
  assert.equal('subtitle' in item, false)
  const whole = await site.ok('get', { id: '/one' })
  assert.deepEqual([whole.item.subtitle, whole.item.event], ['First', '2027-01-01T00:00:00.000Z'])
  const { items } = await site.ok('list', { where: { slug: 'one' }, select: ['id', 'subtitle'] })
  assert.deepEqual(items, [{ id: item.id, subtitle: 'First' }])
  const cleared = await site.ok('update', { id: '/one', subtitle: null, event: null, select: ['subtitle', 'event'] })
  assert.deepEqual(cleared.item, { subtitle: null, event: null })
  assert.deepEqual(cleared.changed.toSorted(), ['event', 'subtitle'])
})

test('an added field filters and sorts lists', async () => {
  await create('Early', { subtitle: 'b', event: '2027-02-01T00:00:00Z' })
  await create('Late', { subtitle: 'a', event: '2027-03-01T00:00:00Z' })
  const slugs = async (input: Readonly<Record<string, unknown>>) =>
    (await site.ok('list', input)).items.map(({ slug }: { slug: string }) => slug)
  assert.deepEqual(await slugs({ where: { event: { gte: '2027-02-15' } } }), ['late'])
  assert.deepEqual(await slugs({ where: { subtitle: { in: ['a', 'b'] } }, sort: 'subtitle' }), ['late', 'early'])
  assert.deepEqual(await slugs({ where: { event: { exists: true } }, sort: '-event' }), ['late', 'early'])
})

test('an added field is in revisions: an earlier state shows it, and revert brings it back where the row says so', async () => {
  await create('Kept', { subtitle: 'before', event: '2027-04-01T00:00:00Z' })
  await site.ok('update', { id: '/kept', subtitle: 'after', event: null })
  const earlier = await site.ok('get', { id: '/kept', revision: 1 })
  assert.deepEqual([earlier.item.subtitle, earlier.item.event], ['before', '2027-04-01T00:00:00.000Z'])
  const { item } = await site.ok('revert', { id: '/kept', revision: 1, select: ['subtitle', 'event'] })
  assert.deepEqual(item, { subtitle: 'before', event: null })
})

test('a revision that is older than a field shows the field blank', async () => {
  const { item } = await create('Old', { subtitle: 'x' })
  const { write } = site.services.store
  const { snapshot } = await write
    .selectFrom('entry_revision')
    .select('snapshot')
    .where('entry_id', '=', item.id)
    .executeTakeFirstOrThrow()
  const { subtitle: _subtitle, event_at: _eventAt, ...older } = JSON.parse(snapshot) as Record<string, unknown>
  await write
    .updateTable('entry_revision')
    .set({ snapshot: JSON.stringify(older) })
    .where('entry_id', '=', item.id)
    .execute()
  await site.ok('update', { id: '/old', title: 'Older' })
  const old = await site.ok('get', { id: '/old', revision: 1 })
  assert.deepEqual([old.item.subtitle, old.item.event], [null, null])
})

test('an added field is in diffs under its own name, with times as text', async () => {
  await create('Diffed', { subtitle: 'x' })
  const { diff } = await site.ok('update', { id: '/diffed', subtitle: 'y', event: '2027-05-01T00:00:00Z', dry_run: true })
  const shown = diff.map(({ field, before: old, after: fresh }: Record<string, unknown>) => [field, old, fresh])
  assert.deepEqual(shown.toSorted(), [
    ['event', null, '2027-05-01T00:00:00.000Z'],
    ['subtitle', 'x', 'y'],
  ])
})

test('an added field is read from front matter and shown in it, where its row says so', async () => {
  const markdown = '---\ntitle: File\nstatus: published\nsubtitle: From a file\n---\n\nText.\n'
  await site.ok('put', { path: '/file', markdown })
  assert.match(await markdownOf('/file'), /^subtitle: From a file$/m)
  assert.doesNotMatch(await markdownOf('/file'), /^event:/m)
  const refused = await site.fails('put', { path: '/file', markdown: markdown.replace('subtitle:', 'event:') })
  assert.match(refused.message, /event/)
})

test('undo takes an added field back', async () => {
  await create('Undone', { subtitle: 'x' })
  const { activity_id: id } = await site.ok('update', { id: '/undone', subtitle: 'y' })
  await site.ok('SVC_Activity.undo', { ids: [id] })
  assert.equal((await site.ok('get', { id: '/undone' })).item.subtitle, 'x')
})

test(
  'the editor has an added field in the panel of its row, saves it, shows it again and clears it; a difference has its label',
  { skip: isDeep && 'the rows are added in this process, and in a deep run the service is another one' },
  async () => {
    const { openSite } = await import('../site.ts')
    const { openVisitor } = await import('../admin/visitor.ts')
    await using served = await openSite({ database: 'sqlite' })
    await addColumns(served.home)
    const owner = openVisitor(served)
    await owner.signIn()
    const { item } = await served.call('SVC_Content.create', { type: 'page', title: 'Regatta' })
    const address = `/admin/content/edit?id=${item.id}`
    const stored = async () => {
      const { item: now } = await served.call('SVC_Content.get', { id: item.id, select: ['subtitle', 'event'] })
      return [now.subtitle, now.event]
    }
    const save = async (fields: Readonly<Record<string, string>>) =>
      owner.submit((await owner.open(address)).form(address), { ...fields, do: 'save' })

    const blank = await owner.open(address)
    assert.match(blank.text, /<label for="f-subtitle">Subtitle<\/label>[\s\S]*Below the title\./)
    assert.match(blank.text, /Publication[\s\S]*Takes place[\s\S]*Address and summary[\s\S]*Subtitle/)
    assert.equal((await save({ title: 'Regatta', subtitle: ' In May ', event: '2027-05-01T10:00' })).status, 303)
    assert.deepEqual(await stored(), ['In May', '2027-05-01T10:00:00.000Z'])
    const { fields } = (await owner.open(address)).form(address)
    assert.deepEqual([fields['subtitle'], fields['event']], ['In May', '2027-05-01T10:00'])
    const revisions = await owner.open(`/admin/content/revisions?id=${item.id}&from=1&to=2`)
    assert.match(revisions.text, /<dt>Subtitle<\/dt>[\s\S]*In May/)
    await save({ subtitle: '', event: '' })
    assert.deepEqual(await stored(), [null, null])
  },
)

/** Adds the columns to the database of a site that is being served. */
async function addColumns(home: string): Promise<void> {
  const { default: sqlite3 } = await import('sqlite3')
  const db = new sqlite3.Database(join(home, 'data', 'postern.db'))
  const statements = 'alter table entry add column subtitle text; alter table entry add column event_at bigint'
  await new Promise<void>((resolve, reject) => db.exec(statements, (error) => (error ? reject(error) : resolve())))
  await new Promise((closed) => db.close(closed))
}
