// The whole admin, walked as an admin from the table of routes and along its links: each page has one heading and a title, needs no script, little work
// and little script; each form is refused without its token or with one of another purpose; the console reaches every action.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { callName } from '../../src/actions/call/action.ts'
import { allActions } from '../../src/actions/all.ts'
import { adminPaths } from '../../src/admin/paths.ts'
import { openVisitor, type Form, type Page, type Visitor } from '../admin/visitor.ts'
import { kindOf, routes, walkAdmin } from '../admin/walk-admin.ts'
import { isDeep } from '../deep-run.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { onlySqlite } from '../sqlite-only.ts'
import { countTripsOfRequest } from '../store/count-trips.ts'

let site: TestSite
let owner: Visitor
const pages = new Map<string, Page>()

/** Forms that are no action: they end or begin a session, or make the first account. */
const notActions: readonly string[] = [adminPaths.signIn, adminPaths.signOut, adminPaths.setUp, adminPaths.consent]

before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  await fill()
  for (const [address, page] of await walkAdmin(owner)) pages.set(address, page)
})
after(() => site[Symbol.asyncDispose]())

/** One thing of each kind that pages list, so that their forms show. */
async function fill(): Promise<void> {
  await site.call('SVC_Content.create', { type: 'page', title: 'Hours', status: 'published', body: 'Nine.' })
  await site.call('SVC_Content.create', { type: 'post', title: 'A draft' })
  await site.call('SVC_Skills.put', { slug: 'style', when: 'Always', text: 'Be brief.' })
  const { token } = (await site.call('SVC_Tokens.create', { name: 'Asks', scope: 'content', limits: { ask: ['*'] } })) as {
    token: string
  }
  await site.api('SVC_Content.update', { id: '/hours', body: 'Ten.' }, { token })
  await editRows(
    site.home,
    `insert into comment (id, entry_id, state, name, body, source, created_at, updated_at, revision)
     select 'c', id, 'pending', 'Ben', 'At last.', 'visitor', 1, 1, 1 from entry where path = '/hours'`,
  )
  await site.call('SVC_Backup.create', {})
}

const shown = () => [...pages].filter(([, { status }]) => status === 200)
const forms = (): readonly (readonly [string, Form])[] => {
  const found = new Map(
    shown().flatMap(([, page]) =>
      page.forms.filter(({ method }) => method === 'post').map((form) => [kindOf(form.action), form] as const),
    ),
  )
  return [...found]
}

test('every page answers, has one heading and a title of its own', () => {
  // Without what their address names, these pages have nothing to show, and say so.
  const needsId = new Set<string>([
    adminPaths.activatePlugin,
    adminPaths.configurePlugin,
    adminPaths.undo,
    adminPaths.editEntry,
    adminPaths.entryRevisions,
    adminPaths.mediaFile,
    adminPaths.menu,
    adminPaths.term,
    adminPaths.type,
    adminPaths.theme,
    adminPaths.themeFiles,
    adminPaths.person,
    adminPaths.app,
    adminPaths.token,
    adminPaths.webhook,
    adminPaths.form,
    adminPaths.formCsv,
    adminPaths.sendNewsletter,
    adminPaths.newsletterMail,
    adminPaths.formFile,
    adminPaths.comment,
    adminPaths.decideComment,
  ])
  // These are for people who are not signed in.
  const others = new Set<string>([adminPaths.newPassword, adminPaths.receiveMails, adminPaths.signIn])
  for (const [address, { status, text, title }] of pages) {
    const [path = ''] = address.split('?')
    if (others.has(path) && status !== 200) continue
    if (needsId.has(address)) assert.ok(status >= 300 && status < 500, `${address}: ${status}`)
    else assert.equal(status, 200, `${address}: ${status}`)
    if (status === 303 || path === adminPaths.newsletterCsv) continue
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, `${address} has one h1`)
    assert.match(title, /\S – \S|\S/, address)
  }
  assert.ok(shown().length > 25, `${shown().length} pages were walked`)
})

test('every link within the admin leads to a page of it', () => {
  const paths = new Set(routes.map(({ path }) => path))
  const dead = new Set<string>()
  for (const [, { text }] of shown())
    for (const [, path = ''] of text.matchAll(/href="(\/admin\/(?!assets\/)[^"#?]*)/g)) if (!paths.has(path)) dead.add(path)
  assert.deepEqual([...dead], [])
})

test('no page needs script: no handler, no script in the page, and every button is in a form', () => {
  for (const [address, { text }] of shown()) {
    assert.doesNotMatch(text, /\son\w+="/, address)
    assert.doesNotMatch(text, /javascript:/i, address)
    assert.doesNotMatch(text, /<script(?![^>]* src=)/, address)
    assert.doesNotMatch(text, /\sstyle="/, address)
    // A button outside a form does nothing without script, unless it opens what HTML alone opens.
    const outside = text.replace(/<form\b.*?<\/form>/gs, '')
    for (const [button] of outside.matchAll(/<button\b[^>]*>/g))
      assert.match(button, /popovertarget=|\sform="|commandfor=/, address)
  }
})

test('no two elements of a page have the same id, so that each label names its own field', () => {
  for (const [address, { text }] of shown()) {
    const ids = [...text.matchAll(/<[a-z][^<>]*? id="([^"]*)"/g)].map(([, id]) => id)
    assert.deepEqual(
      ids.filter((id, place) => ids.indexOf(id) !== place),
      [],
      address,
    )
  }
})

test('every form leads to a route that takes it', () => {
  const taken = new Set(routes.filter(({ methods }) => methods.POST).map(({ path }) => path))
  for (const [address, page] of shown()) {
    for (const { action, method } of page.forms) {
      const [path = ''] = action.split('?')
      if (method === 'post') assert.ok(taken.has(path), `${address}: ${action}`)
      else
        assert.ok(
          routes.some((route) => route.path === path && route.methods.GET),
          `${address}: ${action}`,
        )
    }
  }
  const seen = new Set(forms().map(([, { action }]) => action.split('?')[0]))
  for (const path of [adminPaths.undo, adminPaths.health, adminPaths.backups, adminPaths.deleteBackup, adminPaths.backupSchedule])
    assert.ok(seen.has(path), `no page shows the form for ${path}`)
})

/** Forms with a file. */
const multipart = new Set<string>([
  adminPaths.plugins,
  adminPaths.uploadMedia,
  adminPaths.replaceMedia,
  adminPaths.uploadRootFile,
  adminPaths.sendImport,
  adminPaths.importSubscribers,
])

test('attack 69: each form without its token, or with that of another purpose, is refused and leaves no record', async () => {
  const before = (await site.call('SVC_Activity.list', { limit: 1 })).items[0].id as string
  const purposes = new Map(forms().map(([kind, { fields }]) => [kind, fields['csrf'] ?? '']))
  assert.equal(new Set(purposes.values()).has(''), false, 'every form has a token')
  for (const [kind, form] of forms()) {
    const other = [...purposes].find(([, csrf]) => csrf !== form.fields['csrf'])?.[1]
    for (const csrf of [undefined, other]) {
      const headers = multipart.has(kind) ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const { status } = await owner.submit(form, { csrf }, headers)
      assert.ok(status === 403 || (multipart.has(kind) && status >= 400), `${kind} with ${String(csrf)}: ${status}`)
    }
  }
  // Another site's page can't send a form that it has read.
  for (const [kind, form] of forms()) {
    if (multipart.has(kind)) continue
    const { status } = await owner.submit(form, {}, { 'sec-fetch-site': 'cross-site' })
    assert.equal(status, 403, kind)
  }
  assert.equal((await owner.open('/admin/')).status, 200, 'still signed in')
  assert.equal((await site.call('SVC_Activity.list', { limit: 1 })).items[0].id, before)
})

test('a form of the admin is sent to its action, or is one of the few that are none', async () => {
  const anonymous = openVisitor(site)
  for (const [, form] of forms()) {
    const [path = ''] = form.action.split('?')
    if (notActions.includes(path)) continue
    const { status } = await anonymous.submit(form)
    assert.equal(status, 403, `${path} takes a form from somebody who is not signed in`)
  }
})

test('every action of the registry is in the console, with a form', async () => {
  const list = await owner.open('/admin/console')
  const named = new Set([...list.text.matchAll(/\/admin\/console\?action=([\w.-]+)/g)].map(([, name]) => name))
  const missing = allActions().filter((action) => !named.has(callName(action)))
  assert.deepEqual(missing.map(callName), [])
  for (const name of [...named].slice(0, 3))
    assert.ok((await owner.open(`/admin/console?action=${name}`)).form('/admin/console?action=' + name))
})

/** What a page may ask the database, however much is on it. */
const maxStatements = 20
/** This page tries what it shows: its work grows with the changes that it takes back, and it tries again without those that are refused. */
const maxStatementsOfTrial = 80

test(
  'no page takes more than so many statements',
  { skip: (isDeep && 'the service is another process') || onlySqlite('a driver whose statements are counted').skip },
  async () => {
    const counts: number[] = []
    for (const [address] of shown()) {
      const trips = await countTripsOfRequest(address, () => owner.open(address))
      const most = address.startsWith(adminPaths.undo) ? maxStatementsOfTrial : maxStatements
      assert.ok(trips <= most, `${address}: ${trips} statements`)
      counts.push(trips)
    }
    assert.ok(Math.max(...counts) > 1, 'statements are counted')
  },
)

test('no page shows the name of an action, or a time with milliseconds, but the console and the pages for developers', () => {
  const forDevelopers: readonly string[] = [adminPaths.console, adminPaths.connect, adminPaths.logs, adminPaths.documents]
  const found = shown().flatMap(([address, { text }]) => {
    if (forDevelopers.some((path) => address.split('?')[0] === path)) return []
    const seen = text.replace(/<(script|style|pre)\b.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')
    return (seen.match(/\S*(?:SVC_\w+[.-]\w+|\d\d:\d\d:\d\d\.\d{3})\S*/g) ?? []).map((one) => `${address}: ${one}`)
  })
  assert.deepEqual(found, [])
})

test('no page but the editor has more than 40 KB of script, and none more than 130 KB', async () => {
  const sizes = new Map<string, number>()
  for (const [address, { text }] of shown()) {
    let bytes = 0
    for (const [, path = ''] of text.matchAll(/<script src="([^"]+)"/g)) {
      if (!sizes.has(path)) sizes.set(path, gzipSync((await owner.open(path)).text).length)
      bytes += sizes.get(path) ?? 0
    }
    const isEditor = address.startsWith(adminPaths.editEntry) || address.startsWith(adminPaths.newEntry)
    const limit = isEditor ? 130 : 40
    assert.ok(bytes <= limit * 1024, `${address}: ${bytes} bytes of script`)
  }
})
