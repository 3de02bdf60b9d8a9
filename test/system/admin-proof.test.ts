// Attack 155: a session whose last proof is more than a quarter of an hour ago is asked for it by whatever a call touches, and
// not by what the call is called: by undo, by a setting that names sources of scripts, by a script in a theme, on every page,
// in lists and in the console.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { activate, addPlugins } from '../plugin-site.ts'
import { openVisitor, ownersPassword, type Form, type Visitor } from '../admin/visitor.ts'
import { editRows } from '../admin/edit-rows.ts'
import { deepTest } from '../deep-run.ts'
import { openSite, type TestSite } from '../site.ts'

type Input = Readonly<Record<string, unknown>>

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  await site
    .call('SVC_Themes.create', { slug: 'mine', from: 'plain' })
    .catch(() => site.call('SVC_Themes.create', { slug: 'mine' }))
  await addPlugins(site, 'useful')
  // The list offers a selection where there are several.
  const calls = [{ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Waits' } }]
  await site.call('SVC_Proposals.create', { title: 'Another', calls })
})
after(() => site[Symbol.asyncDispose]())

const makeStale = () => editRows(site.home, 'update session set authenticated_at = 0')
const newest = async (): Promise<string> => (await site.call('SVC_Activity.list', { limit: 1 })).items[0].id
const did = async (action: string, input: Input): Promise<string> => (await site.call(action, input)).activity_id as string

let people = 0
async function person(role: string) {
  const email = `person${(people += 1)}@example.org`
  await site.call('SVC_Accounts.create', { email, name: 'Somebody', role })
  return email
}

/** What is taken back, by the record of the call. */
const undone: Readonly<Record<string, () => Promise<string>>> = {
  'a demotion': async () => did('SVC_Accounts.update', { id: await person('admin'), role: 'read' }),
  'a disabled account': async () => did('SVC_Accounts.update', { id: await person('content'), disabled: true }),
  'a deactivated plugin': async () => {
    await activate(site, 'useful')
    return did('SVC_Plugins.deactivate', { id: 'useful' })
  },
  'sources of scripts that were taken away': async () => {
    await site.call('SVC_Settings.update', { set: { allowed_sources: ['https://maps.example.org'] } })
    return did('SVC_Settings.update', { set: { allowed_sources: [] } })
  },
  'a script that was taken out of a theme': async () => {
    await site.call('SVC_Themes.write', { id: 'mine', file: 'partials/note.liquid', text: '<script>1</script>' })
    return did('SVC_Themes.remove', { id: 'mine', file: 'partials/note.liquid' }).catch(() =>
      did('SVC_Themes.write', { id: 'mine', file: 'partials/note.liquid', text: 'quiet' }),
    )
  },
}

const formOf = (forms: readonly Form[], action: string, has: string): Form =>
  forms.find((form) => form.method === 'post' && form.action.split('?')[0] === action && has in form.fields) ??
  assert.fail(JSON.stringify(forms))

/** Sends a form with a stale session: the proof is asked for, nothing is done, and after the proof the same form does it. */
async function asksAndGoesOn(form: Form, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  await makeStale()
  const last = await newest()
  const asked = await owner.submit(form, fields)
  assert.equal(asked.status, 403, asked.text)
  assert.match(asked.text, /Confirm first that it is you/)
  const confirm = formOf(asked.forms, '/admin/account/confirm', 'password')
  const wrong = await owner.submit(confirm, { password: 'wrong wrong wrong' })
  assert.equal(wrong.status, 403)
  assert.equal(await newest(), last, 'nothing was done')
  await editRows(site.home, 'delete from sign_in_attempt')
  const kept = await owner.submit(formOf(wrong.forms, '/admin/account/confirm', 'password'), { password: ownersPassword })
  assert.equal(kept.status, 200, kept.text)
  assert.match(kept.text, /Nothing has been done yet/)
  assert.equal(await newest(), last, 'a person sends it')
  const again = kept.forms.find(({ action }) => action.split('?')[0] === form.action.split('?')[0]) ?? assert.fail(kept.text)
  const done = await owner.submit(again)
  assert.equal(done.status, 303, done.text)
  assert.notEqual(await newest(), last)
}

/** A usual run takes back each thing in one of the three ways, and each way is taken. */
for (const [place, [what, make]] of Object.entries(undone).entries()) {
  const inWay = (way: number) => (place % 3 === way ? test : deepTest)
  void inWay(0)(`attack 155: taking back ${what} on its page`, async () => {
    const { forms } = await owner.open(`/admin/activity/take-back?ids=${await make()}`)
    await asksAndGoesOn(formOf(forms, '/admin/activity/take-back', 'ids'))
  })
  void inWay(1)(`attack 155: taking back ${what} in the console`, async () => {
    const id = await make()
    await makeStale()
    const last = await newest()
    const page = await owner.open('/admin/console?action=SVC_Activity.undo')
    const { dry_run: _, ...fields } = page.form('SVC_Activity.undo').fields
    const form = { ...page.form('SVC_Activity.undo'), fields: { ...fields, 'arg.ids': id } }
    const asked = await owner.submit(form)
    assert.match(asked.text, /name="password"/, asked.text)
    assert.equal(await newest(), last, 'nothing was done')
    const { dry_run: __, ...filled } = asked.form('SVC_Activity.undo').fields
    const done = await owner.submit({ ...form, fields: filled }, { password: ownersPassword })
    assert.equal(done.status, 200, done.text)
    assert.notEqual(await newest(), last)
  })
  void inWay(2)(`attack 155: taking back ${what} by a proposal, by itself and in the list`, async () => {
    const asking = await site.call('SVC_Tokens.create', { name: `asks ${Math.random()}`, scope: 'admin', limits: {} })
    const propose = async () => {
      const calls = [{ action: 'SVC_Activity.undo', arguments: { ids: [await make()] } }]
      const token = asking.token as string
      const { json, text } = await site.api('SVC_Proposals.create', { title: `Undo ${Math.random()}`, calls }, { token })
      assert.equal(json.success, true, text)
      return json.data.item.id as string
    }
    const second = await propose()
    await makeStale()
    const last = await newest()
    const list = await owner.open('/admin/approvals?all=yes')
    const shown = await owner.submit(formOf(list.forms, '/admin/approvals', 'note'), { ids: second, decide: 'approve' })
    const partly = await owner.submit(formOf(shown.forms, '/admin/approvals', 'shown'), { decide: 'approve' })
    assert.equal(partly.status, 409, partly.text)
    assert.match(partly.text, /it needs your password/)
    assert.equal(await newest(), last)
    await site.call('SVC_Proposals.reject', { id: second })
    const { forms } = await owner.open(`/admin/approvals?id=${await propose()}`)
    await asksAndGoesOn(formOf(forms, '/admin/approvals', 'digest'), { decide: 'approve' })
  })
}

test('attack 155: sources of scripts on the page of settings, and no other setting', async () => {
  const settings = async () =>
    formOf((await owner.open('/admin/settings?page=technical')).forms, '/admin/settings', 'allowed_sources')
  await makeStale()
  assert.equal((await owner.submit(await settings(), { site_title: 'Quiet' })).status, 303)
  await asksAndGoesOn(await settings(), { allowed_sources: 'https://scripts.example.org' })
})

test('attack 155: a script in a theme, and no other text', async () => {
  const page = '/admin/themes/files?id=mine'
  const form = async () => formOf((await owner.open(page)).forms, '/admin/themes/edit', 'text')
  await makeStale()
  assert.equal((await owner.submit(await form(), { file: 'partials/quiet.liquid', text: '<p>Quiet</p>' })).status, 303)
  await asksAndGoesOn(await form(), { file: 'partials/loud.liquid', text: '<script>1</script>' })
})

test('attack 155: the settings of a plugin', async () => {
  await makeStale()
  const { forms } = await owner.open('/admin/plugins/settings?id=useful')
  const form = formOf(forms, '/admin/plugins/settings', 'id')
  assert.equal(form.fields['password'], '', 'the form asks')
})

test('what is taken back is what the page showed, and nothing that was done since', async () => {
  const { item } = await site.call('SVC_Activity.mark', { name: `before ${Math.random()}` })
  const first = await site.call('SVC_Content.create', { type: 'page', title: 'Taken back' })
  const [{ token_id: token }] = (await site.call('SVC_Activity.list', { limit: 1 })).items
  const by = token ?? (await site.call('SVC_Accounts.me', {})).item.email
  const query = new URLSearchParams({ since: item.name, ...(token ? { token } : { by }) })
  const { forms } = await owner.open(`/admin/activity/take-back?${query.toString()}`)
  const later = await site.call('SVC_Content.create', { type: 'page', title: 'Done since' })
  assert.equal((await owner.submit(formOf(forms, '/admin/activity/take-back', 'ids'))).status, 303)
  assert.equal((await site.api('SVC_Content.get', { id: first.item.id })).json.success, false)
  assert.equal((await site.call('SVC_Content.get', { id: later.item.id })).item.title, 'Done since')
})
