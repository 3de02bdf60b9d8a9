// The forms of health, backups, jobs, logs and maintenance: each does what it says. What is refused shows its sentence, and what was filled in stays.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openVisitor, type Form, type Page, type Visitor } from '../admin/visitor.ts'
import { isDeep } from '../deep-run.ts'
import { writeRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

/** Making and testing backups takes much work. */
const heavy = { skip: !isDeep && 'a deep run makes backups' }

/** Sends a form and follows it until the job that it started has ended. */
async function done(form: Form, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
  const sent = await owner.submit(form, fields)
  assert.equal(sent.status, 303, sent.text)
  let page = await owner.follow(sent)
  await until('the job of the form ends', async () => {
    if (page.text.includes('data-running')) page = await owner.follow(sent)
    return !page.text.includes('data-running')
  })
  return page
}

const backups = async (): Promise<readonly { id: string; file: string; note: string | null; error: string | null }[]> =>
  (await site.call('SVC_Backup.list')).items

test('health: the checks run, and the page has what they found', async () => {
  const page = await done((await owner.open('/admin/health')).form('/admin/health'))
  assert.match(page.text, /The checks have run\./)
  assert.match(page.text, /Could not be checked/)
  assert.doesNotMatch(page.text, /Nothing is wrong/, 'where no check could tell')
})

test('backups: one is made with its note, tested, and deleted with its file', heavy, async () => {
  const empty = await owner.open('/admin/backups')
  assert.match(empty.text, /There is no backup yet/)
  const made = await done(empty.form('/admin/backups'), { note: 'Before the move' })
  assert.match(made.text, /The backup was created and tested\./)
  const [backup] = await backups()
  assert.equal(backup?.note, 'Before the move')
  const page = await owner.open(`/admin/backups?id=${backup?.id}`)
  assert.ok(page.text.includes(`postern restore ${backup?.file}`))
  assert.match((await done(page.form('/admin/backups/verify'))).text, /The backup is good\./)
  const deleted = await owner.follow(await owner.submit(page.form('/admin/backups/delete')))
  assert.match(deleted.text, /Deleted a backup\./)
  assert.deepEqual(await backups(), [])
})

test('backups: a short passphrase and a wrong number stand at their fields, and what was filled in stays', async () => {
  const page = await owner.open('/admin/backups')
  const weak = await owner.submit(page.form('/admin/backups'), { note: 'Sealed one', passphrase: 'short' })
  assert.equal(weak.status, 422)
  assert.match(weak.text, /id="e-passphrase"/)
  assert.match(weak.text, /value="Sealed one"/)
  assert.doesNotMatch(weak.text, /value="short"/, 'a secret is not shown again')
  const wrong = await owner.submit(page.form('/admin/backups/schedule'), { every: 'week', daily: 'many', weekly: '5' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="e-daily"/)
  assert.match(wrong.text, /value="many"/)
  assert.match(wrong.text, /<option value="week" selected>/)
  const sent = await owner.submit(page.form('/admin/backups/schedule'), { every: 'day', daily: '9' })
  assert.equal(sent.status, 303, sent.text)
  const saved = await owner.follow(sent)
  assert.match(saved.text, /Changed the schedule of backups\./)
  assert.match(saved.text, /The next one: <time/)
  assert.match(saved.text, /name="daily"[^>]*value="9"/)
})

test('jobs: what failed says why and runs again; a running job is cancelled; one that has ended is not', heavy, async () => {
  await site.call('SVC_Backup.create')
  const [backup] = await backups()
  await writeFile(join(site.home, 'backups', backup?.file ?? ''), 'damaged')
  const failed = await done((await owner.open(`/admin/backups?id=${backup?.id}`)).form('/admin/backups/verify'))
  assert.match(failed.text, /role="alert"[^]*See the job/)
  const list = await owner.open('/admin/jobs?state=failed')
  const retry = list.form('/admin/jobs/retry')
  assert.match((await owner.follow(await owner.submit(retry))).text, /Started a job again\./)
  const unknown = await owner.submit({ ...retry, fields: { ...retry.fields, id: 'nothing' } })
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /role="alert">[^<]*nothing/)

  const now = Date.now()
  await writeRows(
    site.home,
    `insert into job (id, call, by_name, state, attempts, cancel, runner, lease_until, created_at, started_at)
     values ('held', 'SVC_Backup.create', 'Owner', 'running', 1, 0, 'elsewhere', ${now + 600_000}, ${now}, ${now})`,
  )
  const running = await owner.open('/admin/jobs?id=held')
  assert.match(running.text, /data-running/)
  const cancel = running.form('/admin/jobs/cancel')
  assert.match((await owner.follow(await owner.submit(cancel))).text, /The job is being cancelled\./)
  await writeRows(site.home, "update job set state = 'done', runner = null, lease_until = null where id = 'held'")
  const late = await owner.submit(cancel)
  assert.equal(late.status, 409)
  assert.match(late.text, /role="alert"/)
})

test('logs: the search keeps what was asked, and a page without lines says the next step', async () => {
  assert.doesNotMatch((await owner.open('/admin/logs')).text, /No lines match/, 'nothing was searched for')
  const page = await owner.open('/admin/logs?search=nobody+wrote+this&level=error&reference=abc')
  assert.match(page.text, /No lines match/)
  for (const kept of [
    /name="search"[^>]*value="nobody wrote this"/,
    /name="reference"[^>]*value="abc"/,
    /value="error" selected/,
  ])
    assert.match(page.text, kept)
})

test('maintenance: a time that is past is told at its field, and the message stays', async () => {
  const form = (await owner.open('/admin/maintenance')).form('/admin/maintenance')
  const past = await owner.submit(form, { message: 'Back soon.', until: '2001-01-01T10:00' })
  assert.equal(past.status, 422)
  assert.match(past.text, /id="e-until"/)
  assert.match(past.text, />\n?Back soon\.<\/textarea>/)
  assert.equal((await fetch(`${site.base}/`)).status, 200)
})

test('updates: the page names the release and the commands, each to copy, and has no form of its own', async () => {
  const page = await owner.open('/admin/updates')
  assert.match(page.text, /data-copy="the command that builds">[^<]*npm run build/)
  assert.match(page.text, new RegExp(`<code>[^<]*${(await site.call('SVC_API.welcome')).site.version ?? ''}`))
  assert.deepEqual(
    page.forms.map(({ action }) => action).filter((action) => action.includes('updates')),
    [],
  )
})

test('these pages are German where the browser asks for German', async () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
  const rows = { health: 'Zustand', backups: 'Sicherungen', jobs: 'Aufträge', logs: 'Protokolle', maintenance: 'Wartung' }
  for (const [path, title] of Object.entries(rows)) {
    const { text } = await owner.open(`/admin/${path}`, german)
    assert.match(text, /<html lang="de"/)
    assert.match(text, new RegExp(`<h1>${title}</h1>`))
  }
})
