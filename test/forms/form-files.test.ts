// Files in forms: what is taken, what a visitor reads when it is not, who gets the files, and when they are gone.

import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expiredRowsTurn } from '../../src/actions/call/expired-rows.ts'
import { formFilesTurn } from '../../src/actions/forms/form-files-turn.ts'
import { askedFields, submitForm } from '../../src/actions/forms/submit-form.ts'
import { leaveFiles, takeFiles } from '../../src/actions/forms/take-files.ts'
import { maxSiteBytes, maxSpamBytes } from '../../src/forms/form-files.ts'
import { getForm } from '../../src/forms/form-store.ts'
import { formToken } from '../../src/forms/form-token.ts'
import { anonymous } from '../../src/identity/caller.ts'
import { keepIncoming } from '../../src/media/incoming.ts'
import { idTime, newId } from '../../src/store/core/ids.ts'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
import { openTestSite, type TestSite as InnerSite } from '../identity/open-test-site.ts'
import { openRelay, readable, type Relay, relayInput } from '../mail/relay-server.ts'
import { writeRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const formInput = {
  slug: 'apply',
  name: 'Apply',
  fields: [
    { name: 'name', label: 'Your name', kind: 'text', required: true },
    { name: 'papers', label: 'Your papers', kind: 'files', help: 'A letter, for example.' },
    { name: 'message', label: 'Message', kind: 'lines' },
  ],
}
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n')

let site: TestSite
let relay: Relay
before(async () => {
  relay = await openRelay()
  site = await openSite()
  await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.base, per_minute: 10_000 }))
  await site.call('SVC_Forms.create', { ...formInput, receivers: ['owner@example.org'] })
  const page = { type: 'page', title: 'Jobs', body: '::: form {form="apply"}\n:::', status: 'published' }
  await site.call('SVC_Content.create', page)
  await openVisitor(site).open('/jobs')
  await sleep(3100)
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
})

let visitors = 0
type Chosen = readonly (readonly [name: string, bytes: Uint8Array, field?: string])[]
interface Answered {
  readonly status: number
  readonly words: string
  readonly text: string
}

/** Fills the form in as a browser without script does, files and all. */
async function send(values: Record<string, string>, files: Chosen, at = site, path = '/jobs'): Promise<Answered> {
  const headers = { 'x-forwarded-for': `203.0.113.${++visitors}` }
  const page = await openVisitor(at, headers).open('/jobs')
  const form = page.forms.find(({ action }) => action.endsWith('#form-apply')) ?? assert.fail(page.text)
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...form.fields, ...values })) if (name !== 'papers') body.append(name, value)
  if (files.length === 0) body.append('papers', new File([], ''))
  for (const [name, bytes, field = 'papers'] of files) body.append(field, new File([Buffer.from(bytes)], name))
  const address = at.address + form.action.replace('/jobs', path)
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual', headers })
  const text = await answer.text()
  return { status: answer.status, text, words: text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') }
}

const stored = async (where: Record<string, unknown> = {}) => (await site.call('SVC_Forms.submissions', { where })).items
const foldersIn = async (home: string): Promise<readonly string[]> =>
  readdir(join(home, 'user-content', 'uploads', 'protected', '.forms')).catch(() => [])
const incomingIn = (home: string): Promise<readonly string[]> => readdir(join(home, 'data', 'incoming')).catch(() => [])
const signedIn = async () => {
  const visitor = openVisitor(site)
  await visitor.signIn()
  return visitor
}
const fieldOf = (page: Answered, name: string): string =>
  new RegExp(`name="${name}"[^>]*>([^<]*)<`).exec(page.text)?.[1] ??
  new RegExp(`value="([^"]*)"[^>]*name="${name}"`).exec(page.text)?.[1] ??
  ''

test('files are stored with the submission, named after their bytes, and mailed to nobody', async () => {
  const taken = relay.taken.length
  const files: Chosen = [
    ['Größe.PNG', png],
    ['../../letter.exe', pdf],
  ]
  const done = await send({ name: 'Anna', message: 'Here you are' }, files)
  assert.equal(done.status, 303, done.words)
  const [item] = await stored()
  assert.equal(item.values.papers, 'grosse.png\nletter.pdf')
  assert.deepEqual(item.files, [
    { field: 'papers', name: 'grosse.png', kind: 'image/png', bytes: png.length },
    { field: 'papers', name: 'letter.pdf', kind: 'application/pdf', bytes: pdf.length },
  ])
  await until('the mail came', () => relay.taken.length > taken)
  const mail = relay.taken.at(-1) ?? assert.fail()
  assert.match(readable(mail), /grosse\.png/)
  assert.doesNotMatch(mail.source, /attachment|%PDF/)
  assert.deepEqual(await incomingIn(site.home), [])
})

test('only people who may read submissions get a file, as a download that no browser shows', async () => {
  const [item] = await stored()
  const visitor = await signedIn()
  const { item: form } = await site.call('SVC_Forms.get', { id: 'apply' })
  const page = await visitor.open(`/admin/forms/form?id=${form.id}`)
  const link =
    /href="([^"]*\/admin\/forms\/file\?[^"]*file=1)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail(page.text)
  const file = await visitor.open(link)
  assert.equal(file.status, 200)
  assert.equal(file.text, pdf.toString())
  const head = (name: string) => file.headers.get(name)
  assert.match(head('content-disposition') ?? '', /^attachment; filename="letter\.pdf"/)
  assert.deepEqual(
    [head('content-type'), head('x-content-type-options'), head('cache-control')],
    ['application/octet-stream', 'nosniff', 'private, no-store'],
  )
  const stranger = await openVisitor(site).open(link)
  assert.deepEqual([stranger.status, /sign-in/.test(stranger.location)], [303, true])
  const byToken = await site.send(link)
  assert.equal(byToken.status, 403)
  for (const path of [`.forms/${item.id}/0`, `protected/.forms/${item.id}/0`])
    assert.notEqual((await site.send(`/user-content/uploads/protected/${path}`)).status, 200)
  await site.postern(
    ['admin', 'create', '--email', 'editor@example.org', '--name', 'Ed', '--role', 'content'],
    `${ownersPassword}\n`,
  )
  const editor = openVisitor(site)
  assert.equal((await editor.signIn('editor@example.org')).status, 303)
  assert.notEqual((await editor.open(link)).status, 200)
  assert.equal((await visitor.open(link.replace('file=1', 'file=7'))).status, 404)
  const csv = await visitor.open(`/admin/forms/csv?id=${form.id}`)
  assert.match(csv.text, /grosse\.png\nletter\.pdf/)
})

test('a file that is refused has one sentence, and what was typed stays', async () => {
  const before = (await stored()).length
  const exe = Buffer.from('4d5a900003000000', 'hex')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
  const big = Buffer.concat([pdf, Buffer.alloc(6_000_000)])
  const rows: readonly (readonly [RegExp, Chosen])[] = [
    [
      /setup\.exe: Files of this kind are not taken/,
      [
        ['letter.pdf', pdf],
        ['setup.exe', exe],
      ],
    ],
    [/x\.svg: Files of this kind are not taken/, [['x.svg', svg]]],
    [/Please choose at most five files/, Array.from({ length: 6 }, (_, at) => [`${at}.pdf`, pdf] as const)],
    [
      /too large: at most 10 MB together/,
      [
        ['a.pdf', big],
        ['b.pdf', big],
      ],
    ],
  ]
  for (const [sentence, files] of rows) {
    const page = await send({ name: 'Anna', message: '<b>kept & safe</b>' }, files)
    assert.equal(page.status, 422)
    assert.match(page.words, sentence)
    assert.equal(page.words.match(/class="form-fault"|Files of this kind|at most five files\.|too large:/g)?.length, 1)
    assert.equal(fieldOf(page, 'message'), '&lt;b&gt;kept &amp; safe&lt;/b&gt;')
  }
  assert.equal((await stored()).length, before)
  assert.deepEqual(await incomingIn(site.home), [])
  assert.equal((await foldersIn(site.home)).length, 1)
})

test('files that came with another mistake are asked for again', async () => {
  const page = await send({ name: '', message: 'Hello' }, [['letter.pdf', pdf]])
  assert.equal(page.status, 422)
  assert.match(page.words, /Please fill in this field\./)
  assert.match(page.words, /Please choose the files again\./)
  assert.equal((await foldersIn(site.home)).length, 1)
})

test('a form without files, and a field that takes none, keep no file', async () => {
  assert.equal((await send({ name: 'Ben', message: 'No papers' }, [])).status, 303)
  assert.deepEqual((await stored())[0].files, [])
  const other = await send({ name: 'Ben', message: 'Other field' }, [['letter.pdf', pdf, 'message2']])
  assert.equal(other.status, 303)
  assert.deepEqual((await stored())[0].files, [])
  const bare = new FormData()
  for (const [name, value] of Object.entries({
    do: 'form',
    _form: 'apply',
    _at: '1.aaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa',
    name: 'Eve',
  }))
    bare.append(name, value)
  bare.append('papers', new File([pdf], 'letter.pdf'))
  // Without the address that names the form, and without a time that the site has signed.
  assert.equal((await fetch(`${site.base}/jobs`, { method: 'POST', body: bare })).status, 405)
  assert.equal((await fetch(`${site.base}/jobs?form=apply`, { method: 'POST', body: bare })).status, 422)
  assert.deepEqual(await incomingIn(site.home), [])
})

test('a call sends no files, and says so', async () => {
  const { json } = await site.api('SVC_Forms.submit', { id: 'apply', values: { name: 'Anna', papers: 'letter.pdf' } })
  assert.equal(json.error.field, 'values.papers')
  assert.match(json.error.message, /only from the page/)
  assert.equal((await site.api('SVC_Forms.submit', { id: 'apply', values: { name: 'By call' } })).status, 200)
})

test('the same text with other files is another submission; with the same files it is one', async () => {
  const count = async () => (await stored()).length
  const before = await count()
  const text = { name: 'Cleo', message: 'Twice' }
  for (const bytes of [pdf, pdf, Buffer.concat([pdf, pdf])]) assert.equal((await send(text, [['a.pdf', bytes]])).status, 303)
  assert.equal(await count(), before + 2)
  const kept = (await stored()).filter(({ files }: { files: readonly unknown[] }) => files.length > 0)
  assert.deepEqual([...(await foldersIn(site.home))].sort(), kept.map(({ id }: { id: string }) => id).sort())
})

test('a sender who is cut off leaves nothing', async () => {
  const before = (await foldersIn(site.home)).length
  const page = await openVisitor(site).open('/jobs')
  const form = page.forms.find(({ action }) => action.endsWith('#form-apply')) ?? assert.fail()
  const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const start = Object.entries(form.fields)
    .map(([name, value]) => part(name, value))
    .join('')
  const file = '--b\r\nContent-Disposition: form-data; name="papers"; filename="a.pdf"\r\n\r\n%PDF-'
  const sending = httpRequest(site.address + form.action.split('#')[0], {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 5_000_000 },
  })
  sending.on('error', () => undefined)
  sending.write(start + file)
  await until('the file arrives', async () => (await incomingIn(site.home)).length > 0)
  sending.destroy()
  await until('nothing of it is left', async () => (await incomingIn(site.home)).length === 0)
  assert.equal((await foldersIn(site.home)).length, before)
})

test('a site that is full says so, keeps the text, and takes it without files', async () => {
  const [item] = (await stored()).filter(({ files }: { files: readonly unknown[] }) => files.length > 0)
  await writeRows(site.home, `update form_submission set file_bytes = ${maxSiteBytes} where id = '${item.id}'`)
  const page = await send({ name: 'Dora', message: 'No room' }, [['a.pdf', pdf]])
  assert.equal(page.status, 422)
  assert.match(page.words, /No files can be taken at the moment\. Please send the form without them, or later\./)
  assert.equal(fieldOf(page, 'message'), 'No room')
  assert.equal((await send({ name: 'Dora', message: 'No room' }, [])).status, 303)
  await writeRows(site.home, `update form_submission set file_bytes = 1 where id = '${item.id}'`)
  assert.equal((await send({ name: 'Dora', message: 'Room again' }, [['a.pdf', pdf]])).status, 303)
})

test('files go with the submission that is erased, and with all of a sender', async () => {
  const fields = [...formInput.fields, { name: 'email', label: 'E-mail', kind: 'email' }]
  await site.call('SVC_Forms.update', { id: 'apply', fields })
  for (const message of ['One', 'Two'])
    assert.equal((await send({ name: 'Flo', email: 'flo@example.com', message }, [['a.pdf', pdf]])).status, 303)
  const ids = (await stored({ email: 'flo@example.com' })).map(({ id }: { id: string }) => id)
  assert.equal(ids.length, 2)
  const isThere = async (id: string) => (await foldersIn(site.home)).includes(id)
  assert.deepEqual(await Promise.all(ids.map(isThere)), [true, true])
  await site.call('SVC_Forms.erase', { email: 'flo@example.com', expect: 2 })
  assert.deepEqual(await Promise.all(ids.map(isThere)), [false, false])
  const [other] = (await stored()).filter(({ files }: { files: readonly unknown[] }) => files.length > 0)
  await site.call('SVC_Forms.erase', { ids: [other.id], expect: 1 })
  assert.equal(await isThere(other.id), false)
})

test('a backup has the files, as it has the submissions', async () => {
  const [item] = (await stored()).filter(({ files }: { files: readonly unknown[] }) => files.length > 0)
  const { item: backup } = await site.call('SVC_Backup.create', {})
  const archive = (await readdir(site.home, { recursive: true })).find((name) => name.endsWith(backup.file)) ?? assert.fail()
  const bytes = await readFile(join(site.home, archive))
  assert.equal(bytes.includes(`user-content/uploads/protected/.forms/${item.id}/0`), true)
})

const clockedForm = async (inner: InnerSite) => {
  await inner.ok('SVC_Forms.create', formInput)
  return getForm(inner.site.store.read, 'apply')
}

/** Sends a form by the functions of the door, on a site whose clock the test moves. */
async function submitWith(inner: InnerSite, more: { hidden?: string; bytes?: Buffer } = {}) {
  const { site: services, home, clock } = inner
  const form = await getForm(services.store.read, 'apply')
  const bytes = more.bytes ?? pdf
  const arrived = await keepIncoming(
    home,
    (async function* () {
      yield bytes
    })(),
    bytes.length,
    clock.at,
  )
  const files = await takeFiles(home, form, [{ ...arrived, field: 'papers', filename: 'a.pdf' }], clock.at)
  const token = formToken(services.key, form.id, askedFields(form), clock.at - 10_000)
  const values: Record<string, string> = { name: newId(clock.at) }
  const sent = { form, textOf: (name: string) => values[name] ?? '', hidden: more.hidden ?? '', token, path: '/', files }
  const caller = anonymous('api', `203.0.113.${++visitors % 250}`)
  const outcome = await services.store.transaction((db) => submitForm(services, db, { ...sent, caller }, clock.at))
  if (outcome.state !== 'taken' || !outcome.keepsFiles) await leaveFiles(home, files)
  return { outcome, id: files.id ?? assert.fail() }
}

test('a crash between file and row leaves nothing for longer than an hour', async () => {
  await using inner = await openTestSite()
  const { site: services, home, clock } = inner
  await clockedForm(inner)
  const kept = await submitWith(inner)
  const left = idTime(clock.at) + '0'.repeat(16)
  const folder = join(home, 'user-content', 'uploads', 'protected', '.forms', left)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '0'), pdf)
  const none = new AbortController().signal
  await formFilesTurn(services).run(none)
  assert.equal((await foldersIn(home)).includes(left), true, 'a form may still be arriving')
  clock.at += 3_700_000
  await formFilesTurn(services).run(none)
  assert.deepEqual(await foldersIn(home), [kept.id])
})

test('spam takes a part of the room alone: beyond it, its text is kept without files', async () => {
  await using inner = await openTestSite()
  const { site: services, home } = inner
  await clockedForm(inner)
  const first = await submitWith(inner, { hidden: 'x' })
  await services.store.write.updateTable('form_submission').set({ file_bytes: maxSpamBytes }).where('id', '=', first.id).execute()
  const second = await submitWith(inner, { hidden: 'x' })
  assert.deepEqual(second.outcome, { state: 'taken', keepsFiles: false })
  const honest = await submitWith(inner)
  assert.deepEqual(honest.outcome, { state: 'taken', keepsFiles: true })
  assert.deepEqual([...(await foldersIn(home))].sort(), [first.id, honest.id].sort())
  const { items } = await inner.ok('SVC_Forms.submissions', { where: { state: 'spam' } })
  assert.deepEqual(items.map(({ files }: { files: readonly unknown[] }) => files.length).sort(), [0, 1])
  assert.equal(
    items.every(({ values }: { values: { papers: string } }) => values.papers === 'a.pdf'),
    true,
  )
})

test('files go when the days of their submission are over, spam after thirty', async () => {
  await using inner = await openTestSite()
  const { site: services, home, clock } = inner
  await clockedForm(inner)
  const honest = await submitWith(inner)
  const spam = await submitWith(inner, { hidden: 'x' })
  const none = new AbortController().signal
  const turn = async () => {
    await expiredRowsTurn(services).run(none)
    await formFilesTurn(services).run(none)
    return [...(await foldersIn(home))].sort()
  }
  assert.deepEqual(await turn(), [honest.id, spam.id].sort())
  clock.at += 31 * 86_400_000
  assert.deepEqual(await turn(), [honest.id])
  clock.at += 335 * 86_400_000
  assert.deepEqual(await turn(), [])
})
