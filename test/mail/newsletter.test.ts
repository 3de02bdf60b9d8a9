// The newsletter from the form on a page to the mailbox and out again, as visitors, scanners of mails and the owner do it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'
import { openRelay, readable, type Relay, relayInput, type Taken } from './relay-server.ts'

let site: TestSite
let relay: Relay
before(async () => {
  relay = await openRelay()
  site = await openSite()
  await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.base, per_minute: 10_000 }))
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'News',
    body: '::: newsletter {agree="News of the bakery & its <oven>, please."}\n## By e-mail\n:::',
    status: 'published',
  })
  await site.call('SVC_Content.create', {
    type: 'post',
    title: 'Rye is back',
    body: '# Rye\n\nFrom **Monday**, see [prices](/news) and [mills](https://mill.example).\n\n- dark\n- light\n\n::: form {form="none"}\n:::\n',
    status: 'published',
    slug: 'rye',
  })
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
})

let visitors = 0
const stranger = (address = `203.0.113.${++visitors}`) => openVisitor(site, { 'x-forwarded-for': address })
const people = async (where: Record<string, unknown> = {}) => (await site.call('SVC_Subscribers.list', { where })).items
const textOf = ({ text }: { text: string }): string =>
  text
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** Fills in the form. @returns the page that answers it */
async function signUp(email: string, visitor = stranger(), more: Record<string, string> = {}) {
  const page = await visitor.open('/news')
  return visitor.submit(page.form('/news#newsletter'), { email, ...more })
}

/** The newest mail to an address. */
async function mailTo(email: string, count = 1): Promise<Taken> {
  const own = () => relay.taken.filter(({ to }) => to.includes(email))
  await until(`a mail to ${email}`, () => own().length >= count)
  return own().at(-1) as Taken
}
const linkIn = (mail: Taken): string => {
  const [, path = ''] = /(\/user-content\/newsletter\/[\w-]+)/.exec(readable(mail)) ?? []
  assert.ok(path, readable(mail))
  return path
}
const headerOf = ({ source }: Taken, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'mi').exec((source.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' '))?.[1]

test('attack 173: a sign-up is confirmed by a link whose GET changes nothing, and ended by one, also by one click', async () => {
  const visitor = stranger()
  const done = await signUp(' Anna@Example.com ', visitor)
  assert.deepEqual([done.status, done.location], [303, '/news?sent=_newsletter#newsletter'])
  assert.match(textOf(await visitor.follow(done)), /an e-mail is on its way to you/)
  const mail = await mailTo('anna@example.com')
  assert.equal(headerOf(mail, 'Subject'), 'Please confirm: news from My site')
  const link = linkIn(mail)
  // A program that scans mails follows links.
  for (let time = 0; time < 3; time++) assert.equal((await stranger().open(link)).status, 200)
  assert.deepEqual(
    (await people()).map(({ email, state }: { email: string; state: string }) => [email, state]),
    [['anna@example.com', 'pending']],
  )

  const asked = await visitor.open(link)
  assert.ok(!asked.text.includes('example.com'), 'no address is shown')
  const confirmed = await visitor.submit(asked.form(link), {})
  assert.match(textOf(confirmed), /You are subscribed/)
  const [anna] = await people()
  assert.deepEqual([anna.state, anna.consent, anna.source], ['active', 'News of the bakery & its <oven>, please.', 'form'])
  assert.ok(anna.consent_at)

  const sent = await site.call('SVC_Subscribers.send', { entry: '/rye', to: 'all' })
  assert.deepEqual([sent.item.receivers, sent.item.subject], [1, 'Rye is back'])
  const news = await mailTo('anna@example.com', 2)
  const end = headerOf(news, 'List-Unsubscribe') ?? ''
  assert.equal(headerOf(news, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
  assert.equal(end, `<${site.base}${linkIn(news)}>`)
  const path = end.slice(1 + site.base.length, -1)
  const altered = path.slice(0, -2) + (path.endsWith('AA') ? 'BB' : 'AA')
  for (const wrong of [altered, `${path}x`, '/user-content/newsletter/x', path.toLowerCase()]) {
    assert.equal((await site.send(wrong, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status, 404, wrong)
  }
  assert.equal((await site.send(path)).status, 200)
  assert.equal((await people({ state: 'active' })).length, 1)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const ended = await site.send(path, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  assert.equal(ended.status, 200)
  assert.ok(!ended.text.includes('example.com'))
  assert.deepEqual(
    (await people()).map(({ state, reason }: { state: string; reason: string }) => [state, reason]),
    [['ended', 'unsubscribed']],
  )
  // Nobody but the owner of the address starts it again.
  const refused = await site.api('SVC_Subscribers.add', { email: 'anna@example.com', consent: 'Said so.' })
  assert.equal(refused.json.error.code, 'refused')
  const list = await site.call('SVC_Subscribers.import', { csv: 'email\nanna@example.com\n', consent: 'A list.' })
  assert.deepEqual([list.added, list.ended], [0, 1])
})

test('the mail has the text in both forms, with whole addresses, and nothing that a mail cannot show', async () => {
  await site.call('SVC_Subscribers.add', { email: 'ben@example.com', name: 'Ben', consent: 'Signed in the shop.' })
  await site.call('SVC_Subscribers.send', { entry: '/rye', to: 'all', again: true, subject: 'Rye\r\nBcc: x@example.com' })
  const mail = await mailTo('ben@example.com')
  assert.equal(headerOf(mail, 'Subject'), 'Rye Bcc: x@example.com')
  assert.equal(headerOf(mail, 'Bcc'), undefined)
  const text = readable(mail)
  for (const part of [
    `prices (${site.base}/news)`,
    'mills (https://mill.example/)',
    '- dark',
    'From Monday',
    'Unsubscribe: http',
  ])
    assert.ok(text.includes(part), `${part}\n${text}`)
  assert.ok(text.includes(`<a href="${site.base}/news" style="color:#`), text)
  assert.ok(!/<form|section-form|class=|<script/.test(text), text)
})

test('what is sent twice, not published, or has a password is refused, and a test goes to one address', async () => {
  const again = await site.api('SVC_Subscribers.send', { entry: '/rye', to: 'all' })
  assert.equal(again.json.error.code, 'exists')
  await site.call('SVC_Content.create', { type: 'page', title: 'Draft', slug: 'draft', body: 'x' })
  for (const entry of ['/draft', '/nowhere']) {
    const { json } = await site.api('SVC_Subscribers.send', { entry, to: 'all' })
    assert.ok(['refused', 'not_found'].includes(json.error.code), JSON.stringify(json))
  }
  const before = relay.taken.length
  const { item } = await site.call('SVC_Subscribers.send', { entry: '/news', to: 'test', receiver: 'me@example.org' })
  assert.deepEqual([item.newsletter, item.test.taken, item.test.code], [null, true, 250])
  assert.equal(relay.taken.length, before + 1)
  const preview = await site.call('SVC_Subscribers.preview', { entry: '/rye', html: true })
  assert.deepEqual([preview.receivers, preview.can_send, typeof preview.sent_at], [1, true, 'string'])
  assert.match(preview.html, /^<!doctype html>/)
})

test('a known address gets the same answer and a word in its mailbox; one address at most a mail an hour', async () => {
  const known = await signUp('ben@example.com')
  const fresh = await signUp('clara@example.com')
  assert.deepEqual([known.status, known.location, known.text], [fresh.status, fresh.location, fresh.text])
  assert.match(readable(await mailTo('ben@example.com', 2)), /subscribed already/)
  await mailTo('clara@example.com')
  const count = relay.taken.length
  for (let time = 0; time < 3; time++) assert.equal((await signUp('clara@example.com')).status, 303)
  // The next address has its mail when those before it would have had theirs.
  await signUp('dora@example.com')
  await mailTo('dora@example.com')
  assert.equal(relay.taken.length, count + 1)
})

test('wrong input keeps what was typed; a program that fills in everything gets the thanks and no mail', async () => {
  for (const email of [
    '',
    'nobody',
    'a@b',
    'a@example.org, b@example.org',
    '🦊@example.org',
    'a@example.org\r\nBcc: b@example.org',
  ]) {
    const page = await signUp(email)
    assert.equal(page.status, 422, email)
    assert.match(textOf(page), /Please give one e-mail address/)
  }
  const typed = await signUp('<b>"nobody')
  assert.ok(typed.text.includes('value="&lt;b&gt;&quot;nobody"'))
  const old = await stranger().open('/news')
  const form = old.form('/news#newsletter')
  const made = await stranger().submit({ ...form, fields: { ...form.fields, _at: 'made-up' } }, { email: 'eve@example.com' })
  assert.equal(made.status, 422)
  assert.match(textOf(made), /send it once more/)
  assert.equal((await signUp('bot@example.com', stranger(), { company: 'Bots' })).status, 303)
  assert.equal((await people({ email: 'bot@example.com' })).length, 0)
})

test('a network is refused after thirty sign-ups an hour', async () => {
  const visitor = stranger('198.51.100.7')
  for (let number = 0; number < 30; number++) assert.equal((await signUp(`p${number}@example.net`, visitor)).status, 303)
  const page = await signUp('p30@example.net', visitor)
  assert.equal(page.status, 429)
  assert.ok(Number(page.headers.get('retry-after')) > 0)
  assert.equal((await signUp('q@example.net')).status, 303)
})

test('lists of other systems are read by their columns, and who left there stays away', async () => {
  const csv =
    '\ufeffEmail Address,First Name,Last Name,Status\r\nfritz@example.com,Fritz,"Müller, jr.",subscribed\r\n' +
    'gerd@example.com,Gerd,,unsubscribed\r\nhans@example.com,,,pending\r\nno address,,,\r\n"=cmd@example.com",=1+1,,subscribed\r\n'
  const done = await site.call('SVC_Subscribers.import', { csv, consent: 'Mailchimp, exported in May.' })
  assert.deepEqual([done.added, done.ended, done.undecided, done.faulty], [2, 1, 1, 1])
  assert.match(done.faults[0], /^Line 5 has no address/)
  const [fritz] = await people({ email: 'fritz@example.com' })
  assert.deepEqual(
    [fritz.name, fritz.state, fritz.consent, fritz.source],
    ['Fritz Müller, jr.', 'active', 'Mailchimp, exported in May.', 'import'],
  )
  const [gerd] = await people({ email: 'gerd@example.com' })
  assert.equal(gerd.state, 'ended')
  const empty = await site.api('SVC_Subscribers.import', { csv: 'name\nAnna\n', consent: 'x' })
  assert.equal(empty.json.error.field, 'csv')
})

test('who is removed is gone from the list of mails, too', async () => {
  const mails = async () => (await site.call('SVC_Mail.list', { where: { to: 'ben@example.com', kind: 'newsletter' } })).items
  assert.notEqual((await mails()).length, 0)
  const wrong = await site.api('SVC_Subscribers.remove', { email: 'ben@example.com', expect: 2 })
  assert.equal(wrong.json.error.code, 'conflict')
  await site.call('SVC_Subscribers.remove', { email: 'Ben@example.com', expect: 1 })
  assert.deepEqual([await people({ email: 'ben@example.com' }), await mails()], [[], []])
})
