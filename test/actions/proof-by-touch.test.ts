// Attack 155: what a session without a recent proof may call is decided by what a call touches, for every action and by every
// way in which the admin calls one: by itself, in a batch and by an approval.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allActions } from '../../src/actions/all.ts'
import { callName } from '../../src/actions/call/action.ts'
import { touchesOf } from '../../src/actions/call/check-input.ts'
import { asksForProof, type Touches } from '../../src/identity/check-limits.ts'
import type { Caller } from '../../src/identity/caller.ts'
import { fits } from '../../src/actions/call/validate.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

let site: TestSite
let person: Caller
before(async () => {
  site = await openTestSite()
  person = { ...site.admin, door: 'admin', unproven: true }
})
after(() => site[Symbol.asyncDispose]())

/** What needs a proof. Everything else needs none, so a new action has to say what it touches. */
const asking =
  `SVC_Content.purge SVC_Media.purge SVC_Comments.purge SVC_Accounts.create SVC_Accounts.update SVC_Accounts.reset SVC_Accounts.delete SVC_Tokens.create
  SVC_Tokens.rotate SVC_Plugins.install SVC_Plugins.update SVC_Plugins.activate SVC_Plugins.configure SVC_Plugins.delete SVC_Backup.create
  SVC_Backup.restore SVC_Backup.delete SVC_Backup.schedule SVC_Backup.send SVC_Backup.set-target SVC_Backup.test-target SVC_Health.doctor-key SVC_Import.begin-upload SVC_Import.run SVC_Site.put-file
  SVC_Site.remove-file SVC_Import.put-people SVC_Import.put-comments SVC_Forms.update SVC_Forms.mark SVC_Forms.erase SVC_Mail.set-relay SVC_Mail.test SVC_Mail.resend SVC_Subscribers.add SVC_Subscribers.remove SVC_Subscribers.import SVC_Subscribers.send SVC_Subscribers.stop SVC_Subscribers.resume SVC_Webhooks.create SVC_Webhooks.update SVC_Webhooks.test SVC_Webhooks.redeliver`.split(
    /\s+/,
  )

const examples = allActions().flatMap((action) => action.examples.map(({ input }) => ({ action, name: callName(action), input })))
const isProof = (failure: { readonly rule?: unknown }) => failure.rule === 'a recent proof of who you are'

test('the actions that need a proof are those that touch access, rights or the outside, or destroy', () => {
  const found = allActions().filter((action) => {
    const inputs = action.examples.map(({ input }) => input).filter((input) => fits(action.input, input))
    return inputs.some((input) => asksForProof(touchesOf(action, input), action.effect))
  })
  assert.deepEqual(new Set(found.map(callName)), new Set(asking))
})

for (const name of asking)
  test(`attack 155: ${name} is refused to a session without a proof, by itself, in a batch and by an approval, and tried without one`, async () => {
    const { action, input } = examples.find((one) => one.name === name) ?? assert.fail(name)
    const alone = await site.run(name, input, person)
    assert.ok(!alone.ok && isProof(alone.failure.detail), JSON.stringify(alone))
    const isAlone = action.batchable === false || action.job === true
    if (action.effect !== 'destroy' && !isAlone) {
      const batch = await site.run('SVC_API.batch', { calls: [{ action: name, arguments: input }] }, person)
      assert.ok(!batch.ok && isProof(batch.failure.detail), JSON.stringify(batch))
    }
    const tried = await site.run(name, { ...input, dry_run: true }, person)
    assert.ok(tried.ok || !isProof(tried.failure.detail), JSON.stringify(tried))
    if (isAlone) return
    const title = `Propose ${name}`
    const made = await site.run('SVC_Proposals.create', { title, calls: [{ action: name, arguments: input }] })
    if (!made.ok) return
    const { item } = await site.ok('SVC_Proposals.get', { id: title }, person)
    const approved = await site.run('SVC_Proposals.approve', { id: item.id, digest: item.digest }, person)
    assert.ok(!approved.ok && isProof(approved.failure.detail), JSON.stringify(approved))
  })

test('no other example is refused to a session without a proof', async () => {
  for (const { action, name, input } of examples) {
    const touches: Touches | undefined = fits(action.input, input) ? touchesOf(action, input) : undefined
    if (asking.includes(name) || touches === undefined || action.job === true) continue
    const outcome = await site.run(name, input, person)
    assert.ok(outcome.ok || !isProof(outcome.failure.detail), name)
  }
})

test('attack 155: a setting, and a text of a theme, ask by what they say', async () => {
  const sources = await site.fails('SVC_Settings.update', { set: { allowed_sources: ['https://a.example'] } }, person)
  assert.ok(isProof(sources), JSON.stringify(sources))
  await site.ok('SVC_Settings.update', { set: { site_title: 'Quiet' } }, person)
  await site.ok('SVC_Themes.create', { slug: 'mine' }, person)
  const write = (text: string) => site.run('SVC_Themes.write', { id: 'mine', file: 'partials/note.liquid', text }, person)
  assert.ok((await write('<p>Quiet</p>')).ok)
  const loud = await write('<script>1</script>')
  assert.ok(!loud.ok && isProof(loud.failure.detail), JSON.stringify(loud))
})
