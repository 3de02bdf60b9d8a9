// Every form of the admin, found by the walk and sent wrongly in six ways: a refusal is the banner that wrong-forms.ts describes, with a link to the
// field; what was typed is still in the form; nothing is ever answered with 500.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adminPaths } from '../../src/admin/paths.ts'
import { editRows } from '../admin/edit-rows.ts'
import { all, attr, openVisitor, parsed, textOf, type Form, type Page, type Visitor } from '../admin/visitor.ts'
import { walkAdmin } from '../admin/walk-admin.ts'
import { holdBanner, shownAgain, typedFields, wrongs } from '../admin/wrong-forms.ts'
import { deepTest, isDeep } from '../deep-run.ts'
import { addPlugins } from '../plugin-site.ts'
import { openSite, root, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
let pages: ReadonlyMap<string, Page>
before(async () => {
  // Many passwords are tried.
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ACCOUNT: '1000', POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
  owner = openVisitor(site)
  await owner.signIn()
  await fill()
  pages = await walkAdmin(owner)
})
after(() => site[Symbol.asyncDispose]())

/** One thing of each kind that has a form. */
async function fill(): Promise<void> {
  const fields = [
    { name: 'price', kind: 'number' },
    { name: 'open', kind: 'boolean' },
  ]
  await site.call('SVC_Types.create', { slug: 'shop', name: 'Shop', fields })
  await site.call('SVC_Content.create', { type: 'page', title: 'Hours', status: 'published', body: 'Nine.' })
  await site.call('SVC_Content.update', { id: '/hours', body: 'Ten.', stage: true })
  await site.call('SVC_Content.create', { type: 'post', title: 'A draft' })
  await site.call('SVC_Content.create', { type: 'shop', title: 'A lamp' })
  await site.call('SVC_Skills.put', { slug: 'style', when: 'Always', text: 'Be brief.' })
  await site.call('SVC_Menus.create', { slug: 'main', name: 'Main', items: [{ label: 'Hours', url: '/hours' }] })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'News' })
  await site.call('SVC_Redirects.create', { from: '/old', to: '/hours' })
  await site.call('SVC_Themes.create', { slug: 'mine', from: 'default' })
  const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
  await site.call('SVC_Media.upload', { text, filename: 'a.svg' })
  await site.call('SVC_Accounts.create', { email: 'bob@example.org', name: 'Bob', role: 'read' })
  const { token } = await site.call('SVC_Tokens.create', { name: 'Asks', scope: 'content', limits: { ask: ['*'] } })
  await site.api('SVC_Content.update', { id: '/hours', title: 'Ten.' }, { token: token as string })
  await site.call('SVC_Backup.create', {})
  await addPlugins(site, 'useful')
}

/** These end the session, or take a file: a form without one is none. */
const left = new Set<string>([
  adminPaths.signOut,
  adminPaths.endSessions,
  adminPaths.plugins,
  adminPaths.uploadMedia,
  adminPaths.replaceMedia,
  adminPaths.importSubscribers,
])

/** Forms whose refusal is about no field that somebody types into: nothing is ticked in their lists. */
const ofLists = new Set<string>([adminPaths.content])

/** Forms whose fields take any text. */
const takesAnyText = ({ form, path }: Sent): boolean =>
  path === adminPaths.configurePlugin || (path === adminPaths.theme && typedFields(form).join() === 'text')

/** A form with one of its buttons. */
interface Sent {
  readonly form: Form
  readonly path: string
  readonly pressed: Readonly<Record<string, string>>
}

/** A form, whichever of its buttons is pressed. */
const formKind = ({ form, path }: Sent): string => [path, form.fields['do'], typedFields(form)].join(' ')

function forms(): ReadonlyMap<string, Sent> {
  const found = new Map<string, Sent>()
  for (const page of [...pages.values()].filter(({ status }) => status === 200))
    for (const form of page.forms.filter(({ method }) => method === 'post')) {
      const [path = ''] = form.action.split('?')
      const buttons = form.controls.filter(({ tag }) => tag === 'button')
      const presses = buttons.length > 0 ? buttons.map(({ name, value }) => ({ [name]: value })) : [{}]
      for (const pressed of presses) {
        const sent = { form, path, pressed }
        const kind = `${formKind(sent)} ${Object.values(pressed)[0]?.split(' ')[0]}`
        if (!left.has(path) && !found.has(kind)) found.set(kind, sent)
      }
    }
  return found
}

/** A one-time code is typed anew, and terms stand as ticked boxes. */
const notKept = new Set(['first', 'more_terms'])

/** An entry is never without a slug: the form shows again the one that stays. */
const staysWhenEmpty = new Set(['slug'])

/** What was typed is in the form that the page shows again. */
function holdTyped(again: Form, sent: Readonly<Record<string, string>>, what: string): void {
  for (const name of typedFields(again)) {
    const text = sent[name]
    if (text !== undefined && !notKept.has(name) && !(text === '' && staysWhenEmpty.has(name)))
      assert.equal(again.fields[name]?.trim(), text.trim(), `${what}: ${name} is kept`)
  }
}

/** Words that every English sentence has one of, and no German one. */
const englishWords = /\b(?:the|is|are|of|must|this|that|there|has|have|can't|may|be|by|with|not|it)\b|SVC_/

/** The banner is German, but for what was typed and the labels of plugins. */
function holdGerman({ text }: Page, what: string): void {
  const banner = all(parsed(text)).find((one) => attr(one, 'id') === 'refusal')
  const labels = banner
    ? all(banner)
        .filter(({ tagName }) => tagName === 'a')
        .map(textOf)
    : []
  const said = labels.reduce((rest, label) => rest.replace(label, ''), banner ? textOf(banner).replace(/„[^“]*“/g, '') : '')
  assert.doesNotMatch(said, englishWords, `${what}: ${said.trim()}`)
}

/** @returns true for a refusal of what was typed */
async function send({ form, path, pressed }: Sent, filled: Readonly<Record<string, string>>, what: string): Promise<boolean> {
  if (Object.keys(filled).length === 0) return false
  const answer = await owner.submit(form, { ...pressed, ...filled })
  assert.ok(answer.status < 500, `${what}: ${answer.status}`)
  if (answer.status < 400) return false
  const links = holdBanner(answer, what)
  holdGerman(answer, what)
  const isTyped = typedFields(form).some((name) => name in filled)
  if (!isTyped || ofLists.has(path) || ![400, 422].includes(answer.status)) return false
  const again = shownAgain(answer, form)
  // A proposal that one of these has decided has no form any more.
  if (!again && path === adminPaths.approvals) return false
  assert.ok(again, `${what}: the form is shown again`)
  assert.notDeepEqual(links, [], `${what}: the banner links to the field`)
  holdTyped(again, filled, what)
  return true
}

test('each form that is sent wrongly is refused with the banner in the language of the page, keeps what was typed, and is never answered with 500', async () => {
  const refused = new Set<string>()
  const faults: string[] = []
  owner.headers['accept-language'] = 'de'
  for (const [kind, sent] of forms())
    for (const [wrong, fill] of Object.entries(wrongs))
      try {
        // In a usual run, one refusal of each form is enough.
        if (!isDeep && refused.has(formKind(sent))) break
        if (await send(sent, fill(sent.form), `${kind} with ${wrong}`)) refused.add(formKind(sent))
      } catch (error) {
        faults.push((error as Error).message)
      }
  delete owner.headers['accept-language']
  assert.deepEqual(faults, [])
  const silent = [...forms().values()].filter(
    (sent) => typedFields(sent.form).length > 0 && !refused.has(formKind(sent)) && !ofLists.has(sent.path) && !takesAnyText(sent),
  )
  assert.deepEqual(silent.map(formKind), [], 'each form with fields was refused in one of the ways')
})

test('forms of lists say at which box or field they were refused, and keep what was typed and selected', async () => {
  const list = await owner.open('/admin/content')
  const [bar] = list.forms.filter(({ controls }) => controls.some(({ value }) => value === 'term'))
  assert.ok(bar)
  const id = all(parsed(list.text)).flatMap((one) => (attr(one, 'name') === 'ids' ? [attr(one, 'value') ?? ''] : []))[1]
  for (const [path, press] of [
    [adminPaths.content, 'publish'],
    [adminPaths.media, 'trash'],
    [`${adminPaths.media}?view=table`, 'trash'],
    [adminPaths.redirects, 'delete'],
  ] as const) {
    const page = await owner.open(path)
    const form = page.forms.find(({ controls }) => controls.some(({ tag, value }) => tag === 'button' && value === press))
    assert.ok(form, path)
    const nothing = await owner.submit(form, { do: press })
    assert.equal(nothing.status, 422, path)
    assert.deepEqual(holdBanner(nothing, path), ['first-box'], path)
  }
  for (const [name, text] of Object.entries({ term: 'tag/none', author: 'nobody@example.org' })) {
    const answer = await owner.submit(bar, { ids: id, [name]: text, do: name })
    assert.deepEqual(holdBanner(answer, name), [`f-${name}`])
    assert.match(textOf(all(parsed(answer.text)).find((one) => attr(one, 'id') === 'refusal') as never), new RegExp(text))
    assert.equal(shownAgain(answer, bar)?.fields[name], text)
    assert.match(answer.text, new RegExp(`value="${id}" form="bulk-content"[^>]* checked`))
  }
})

test('a type that is deleted with a wrong place for its entries is refused at the field', async () => {
  const page = await owner.open(`${adminPaths.type}?id=shop`)
  const form = page.forms.find(({ fields }) => fields['do'] === 'delete')
  assert.ok(form)
  const answer = await owner.submit(form, { move_to: 'nowhere' })
  assert.ok(answer.status >= 400)
  assert.deepEqual(holdBanner(answer, 'delete'), ['f-move_to'])
})

test('a revision that is no number is refused in words by each form that has one, also where nothing has changed', async () => {
  const edited = (await site.call('SVC_Content.get', { id: '/hours' })).item as { id: string; revision: number }
  const { form } = await owner.open(`${adminPaths.editEntry}?id=${edited.id}`)
  const editor = form(adminPaths.editEntry + `?id=${edited.id}`)
  for (const revision of ['1#', 'NaN', '0x10', '-1', '1e3'])
    for (const action of [editor.action, adminPaths.autosaveEntry]) {
      const answer = await owner.submit({ ...editor, action }, { id: edited.id, revision, do: 'save' })
      assert.equal(answer.status, 400, `${action} ${revision}`)
      assert.ok(answer.text.includes('must be a whole number'), answer.text)
    }
  assert.equal(((await site.call('SVC_Content.get', { id: '/hours' })).item as { revision: number }).revision, edited.revision)
})

test('a form that asks for a proof and names no work of its page is refused in words, also by a name that every object has', async () => {
  const { item } = await site.call('SVC_Webhooks.create', { url: 'https://hooks.example/', events: ['media.purge'] })
  for (const [address, action] of [
    [`/admin/webhooks/webhook?id=${item.id}`, '/admin/webhooks/webhook'],
    ['/admin/backups/elsewhere', '/admin/backups/elsewhere'],
  ] as const) {
    const form = (await owner.open(address)).form(action)
    for (const name of ['constructor', '__proto__', 'toString', 'nothing']) {
      const { status, text } = await owner.submit(form, { id: item.id, do: name })
      assert.equal(status, 400, `${action} ${name}`)
      assert.match(text, /This form does not say what to do/)
    }
  }
})

test('a wrong password is told at the field of the form that was sent', async () => {
  await editRows(site.home, 'update session set authenticated_at = 0')
  pages = await walkAdmin(owner)
  const has = (form: { readonly controls: readonly { readonly name: string }[] }, name: string) =>
    form.controls.some((control) => control.name === name)
  // A form that takes a file is no text: its proof is tested with the file.
  const asking = [...forms().values()].filter(({ form }) => has(form, 'password') && !has(form, 'file'))
  assert.ok(asking.length > 8, `${asking.length} forms ask for the password`)
  // The password of an entry is for its visitors.
  const own: readonly string[] = [adminPaths.password, adminPaths.newEntry, adminPaths.editEntry]
  for (const sent of asking.filter(({ path }) => !own.includes(path))) {
    const what = formKind(sent)
    const answer = await owner.submit(sent.form, { password: 'wrong', ...sent.pressed })
    assert.equal(answer.status, 403, what)
    const [id, ...others] = holdBanner(answer, what)
    assert.deepEqual(others, [], what)
    const field = all(parsed(answer.text)).find((one) => attr(one, 'id') === id)
    assert.equal(field && attr(field, 'name'), 'password', what)
  }
})

/** Each parameter that a page of the admin reads from its address. */
async function parameters(): Promise<readonly string[]> {
  const folder = join(root, 'src', 'admin')
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const names = texts.flatMap((text) => [...text.matchAll(/(?:query|address)\.get\('(\w+)'\)/g)].map(([, name = '']) => name))
  return [...new Set(names)].filter((name) => name !== 'id')
}

const hostile = [
  '1#',
  'NaN',
  '-1',
  '0',
  '1e999',
  '0x10',
  '99999999999999999999',
  '\u0663',
  '\0',
  '__proto__',
  'constructor',
  'constructor-1',
  '2026-13-45',
  '[]',
  '%',
  '../..',
]

deepTest('no parameter of a page in the admin is answered with 500, whatever its value', async () => {
  const names = await parameters()
  assert.ok(names.includes('cursor') && names.includes('since'), names.join())
  const failed: string[] = []
  const look = async (address: string, given: readonly string[], value: string): Promise<void> => {
    const asked = new URL(address, site.base)
    for (const name of given) asked.searchParams.set(name, value)
    const { status } = await owner.open(asked.pathname + asked.search)
    if (status >= 500) failed.push(`${status} ${asked.pathname}${asked.search}`)
  }
  const shown = [...pages].filter(([, { status }]) => status === 200).map(([address]) => new URL(address, site.base))
  for (const { pathname, searchParams } of new Map(shown.map((url) => [url.pathname, url])).values()) {
    const id = searchParams.get('id')
    const address = id === null ? pathname : `${pathname}?id=${id}`
    for (const value of hostile) {
      await look(address, names, value)
      if (id !== null) await look(address, ['id'], value)
      // The first parameter that is refused hides the others.
      if (isDeep) for (const name of names) await look(address, [name], value)
    }
  }
  assert.deepEqual(failed, [])
})
