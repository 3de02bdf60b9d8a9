// Forms from the page to the owner: what visitors get back, what is stored, what is sent by mail, and what spam comes to.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openVisitor, type Page } from '../admin/visitor.ts'
import { openRelay, readable, type Relay, relayInput } from '../mail/relay-server.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let relay: Relay
before(async () => {
  relay = await openRelay()
  site = await openSite()
  await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.base, per_minute: 10_000 }))
  await site.call('SVC_Forms.create', {
    slug: 'write',
    name: 'Write to us',
    fields: [
      { name: 'name', label: 'Your name', kind: 'text', required: true },
      { name: 'email', label: 'Your e-mail', kind: 'email', required: true },
      { name: 'topic', label: 'Topic', kind: 'choice', choices: ['Bread', 'Cake'] },
      { name: 'message', label: 'Message', kind: 'lines', required: true, help: 'A few words do.' },
    ],
    receivers: ['owner@example.org'],
    consent: 'I have read the [privacy page](/privacy).',
  })
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'Contact',
    body: '::: form {form="write"}\n## Write to us\n:::',
    status: 'published',
  })
  await typing()
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
})

/** The page is made anew after each change of the form, and whoever fills it in takes some seconds. */
async function typing(): Promise<void> {
  await openVisitor(site).open('/contact')
  await sleep(3100)
}

const oneField = [{ name: 'text', label: 'Text', kind: 'lines', required: true }]
const good = { name: 'Anna', email: 'anna@example.com', message: 'Do you bake on\nMondays?', _consent: 'yes' }
const stored = async (where: Record<string, unknown> = {}) => (await site.call('SVC_Forms.submissions', { where })).items
const mailsOf = (kind: string) => site.call('SVC_Mail.list', { where: { kind } }).then(({ items }) => items)

let visitors = 0
/** A visitor at a network address of their own. */
const stranger = (address = `203.0.113.${++visitors}`) => openVisitor(site, { 'x-forwarded-for': address })

/** Fills the form in and sends it. */
async function send(values: Record<string, string | undefined>, visitor = stranger()): Promise<Page> {
  const page = await visitor.open('/contact')
  return visitor.submit(page.form('/contact#form-write'), values)
}

const textOf = ({ text }: Page): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('a message is stored, goes to the receiver with the sender in Reply-To alone, and is thanked for', async () => {
  const visitor = stranger()
  const done = await send(good, visitor)
  assert.deepEqual([done.status, done.location], [303, '/contact?sent=write#form-write'])
  const thanks = await visitor.follow(done)
  assert.match(textOf(thanks), /Thank you\. Your message has arrived\./)
  assert.equal(thanks.headers.get('cache-control'), 'no-store')
  const [item] = await stored()
  assert.deepEqual(item.values, good)
  assert.deepEqual([item.state, item.email, item.path], ['new', 'anna@example.com', '/contact'])
  await until('the mail came', () => relay.taken.length > 0)
  const [mail] = relay.taken
  assert(mail)
  assert.deepEqual([mail.from, mail.to], ['site@example.org', ['owner@example.org']])
  assert.match(mail.source, /^Reply-To: anna@example\.com\r$/m)
  assert.match(readable(mail), /Message:\r\nDo you bake on\r\nMondays\?/)
  // The page itself is as it was.
  assert.match((await stranger().open('/contact')).text, /<form\s+class="form"/)
})

test('the same form twice is one, as by the back button', async () => {
  const before = (await stored()).length
  const twice = { ...good, message: 'Twice' }
  const visitor = stranger()
  for (const _again of [1, 2]) assert.equal((await send(twice, visitor)).status, 303)
  assert.equal((await stored()).length, before + 1)
})

test('what is wrong stands at its field, and everything that was typed stays', async () => {
  const page = await send({ name: '', email: 'anna', topic: 'Beer', message: '<b>"Hello" & more</b>' })
  assert.equal(page.status, 422)
  const words = textOf(page)
  for (const sentence of [
    'Please look at this once more',
    'Please fill in this field.',
    'Please give one e-mail address',
    'Please choose one of',
  ])
    assert.match(words, new RegExp(sentence))
  const { email, message } = page.form('/contact#form-write').fields
  assert.deepEqual([email, message], ['anna', '<b>"Hello" & more</b>'])
  assert.match(page.text, /aria-invalid="true"/)
})

test('1 MB of text gets a sentence, and stays in the form', async () => {
  const message = 'word '.repeat(200_000)
  const page = await send({ ...good, message })
  assert.equal(page.status, 422)
  assert.match(textOf(page), /This text is too long\./)
  assert.equal(page.form('/contact#form-write').fields['message']?.length, message.length)
})

test('a page that was open for too long is sent once more, with nothing lost', async () => {
  const visitor = stranger()
  const page = await send({ ...good, message: 'Late', _at: '1.aaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' }, visitor)
  assert.equal(page.status, 422)
  assert.match(textOf(page), /Please send it once more/)
  const again = await visitor.submit(page.form('/contact#form-write'))
  assert.equal(again.status, 303)
})

test('attack 167: another receiver, form or field changes nothing; spam is flagged, kept and thanked for', async () => {
  const mails = (await mailsOf('form')).length
  const done = await send({ ...good, message: 'To others', to: 'x@example.com', receivers: '["x@example.com"]', form: 'other' })
  assert.equal(done.status, 303)
  assert.deepEqual(
    (await mailsOf('form')).map(({ to }: { to: string }) => to).filter((to: string) => to !== 'owner@example.org'),
    [],
  )
  assert.equal((await mailsOf('form')).length, mails + 1)
  const traps = {
    'hidden field': { homepage: 'https://spam.example' },
    links: { message: 'https://a.example https://b.example https://c.example https://d.example' },
    'only a link': { name: 'https://spam.example/' },
  }
  for (const [reason, values] of Object.entries(traps)) {
    assert.equal((await send({ ...good, message: reason, ...values })).status, 303)
    assert.equal((await stored({ state: 'spam' }))[0].reason, reason)
  }
  assert.equal((await mailsOf('form')).length, mails + 1)
  const [spam] = await stored({ state: 'spam' })
  assert.equal(Math.round((Date.parse(spam.expires_at) - Date.parse(spam.created_at)) / 86_400_000), 30)
  await site.call('SVC_Forms.mark', { ids: [spam.id], status: 'new' })
  assert.equal(
    (await stored({ state: 'new' })).some(({ id }: { id: string }) => id === spam.id),
    true,
  )
})

test('attack 167: a hundred posts of bots among twenty honest ones: all twenty arrive', async () => {
  const before = (await stored({ state: 'new' })).length
  const honest = Array.from({ length: 20 }, (_, number) => ({ ...good, message: `Honest ${number}` }))
  const bot = stranger('198.51.100.9')
  const page = await bot.open('/contact')
  const bots = Array.from({ length: 100 }, (_, number) =>
    bot.submit(page.form('/contact#form-write'), { ...good, message: `Buy ${number}` }).then(({ status }) => status),
  )
  const sent = await Promise.all(honest.map((values) => send(values).then(({ status }) => status)))
  const statuses = await Promise.all(bots)
  assert.deepEqual(sent, Array(20).fill(303))
  const { items } = await site.call('SVC_Forms.submissions', { where: { state: 'new' }, limit: 100 })
  const arrived = items.filter(({ values }: { values: { message: string } }) => values.message.startsWith('Honest'))
  assert.equal(arrived.length, 20)
  // At most five are taken as anybody's; the next are flagged, and beyond fifty, or four at once, they are refused.
  assert(items.length - before - 20 <= 5, `${items.length - before - 20} of a program are new`)
  assert(statuses.some((status) => status !== 303))
})

test('an address with an emoji gets its sentence, and everything stays', async () => {
  for (const email of ['😀@example.com', 'anna😀@example.com', 'anna@example.😀😀 com']) {
    const page = await send({ ...good, email })
    assert.equal(page.status, 422, email)
    assert.match(textOf(page), /Please give one e-mail address/)
    const { email: kept, message } = page.form('/contact#form-write').fields
    assert.deepEqual([kept, message], [email, good.message])
  }
})

test('a form that was changed while somebody filled it in comes back once, with all that was typed', async () => {
  const { item } = await site.call('SVC_Forms.get', { id: 'write' })
  const { fields } = item
  const given = fields.map(({ help, choices, ...field }: { help: string | null; choices: readonly string[] }) => ({
    ...field,
    ...(help !== null && { help }),
    ...(choices.length > 0 && { choices }),
  }))
  const visitor = stranger()
  const page = await visitor.open('/contact')
  const typed = { ...good, message: 'Written <before> the change' }
  const changed = given.filter(({ name }: { name: string }) => name !== 'message')
  await site.call('SVC_Forms.update', { id: 'write', fields: [...changed, { name: 'text', label: 'Text', kind: 'lines' }] })
  const count = (await stored()).length
  const again = await visitor.submit(page.form('/contact#form-write'), typed)
  assert.equal(again.status, 422)
  assert.match(textOf(again), /This form was changed while you filled it in\./)
  assert.match(textOf(again), /There is no field any more for this text: Written &lt;before&gt; the change/)
  const form = again.form('/contact#form-write')
  assert.deepEqual([form.fields['name'], form.fields['email']], [good.name, good.email])
  assert.equal((await stored()).length, count)
  // Another consent is asked for again, too; what the owner changes besides is no matter of the sender.
  await site.call('SVC_Forms.update', { id: 'write', thanks: 'Thanks a lot.' })
  assert.equal((await visitor.submit(form, { text: typed.message })).status, 303)
  assert.equal((await stored())[0].values.text, typed.message)
  const other = await visitor.open('/contact')
  await site.call('SVC_Forms.update', { id: 'write', consent: 'You may print what I write.' })
  const asked = await visitor.submit(other.form('/contact#form-write'), { ...good, message: undefined })
  assert.match(textOf(asked), /This form was changed/)
  await site.call('SVC_Forms.update', { id: 'write', fields: given, consent: item.consent, thanks: '' })
  await typing()
})

test('a form that is gone, renamed or taken off its page while somebody fills it in gives the text back', async () => {
  const { item: other } = await site.call('SVC_Forms.create', { slug: 'short', name: 'Short', fields: oneField })
  const made = { type: 'page', title: 'Short', body: '::: form {form="short"}\n:::', status: 'published' }
  const { item: page } = await site.call('SVC_Content.create', made)
  const visitor = stranger()
  const open = async () => (await visitor.open('/short')).form('/short#form-short')
  const words = { text: 'Nothing is lost' }
  const isBack = (answer: Page) => {
    assert.equal(answer.status, 410, answer.text)
    assert.match(textOf(answer), /This form is not here any more\. .*Nothing is lost/)
  }
  const renamed = await open()
  await site.call('SVC_Forms.update', { id: other.id, slug: 'shorter' })
  assert.equal((await visitor.submit(renamed, words)).status, 303)
  await site.call('SVC_Forms.update', { id: other.id, slug: 'short' })
  const unshown = await open()
  await site.call('SVC_Content.update', { id: page.id, body: 'No form.' })
  isBack(await visitor.submit(unshown, { ...words, _at: '1.aaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' }))
  await site.call('SVC_Content.unpublish', { id: page.id })
  isBack(await visitor.submit(unshown, { ...words, _at: '1.aaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' }))
  await site.call('SVC_Forms.delete', { id: other.id })
  isBack(await visitor.submit(unshown, words))
  // Nobody else can put words on a page of the site.
  assert.equal((await visitor.submit(unshown, { ...words, _at: '1.aaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' })).status, 405)
  await typing()
})

test('attack 166: a name or an address with line ends adds nothing to the mail', async () => {
  const count = relay.taken.length
  await send({ ...good, name: 'Eve\r\nBcc: x@example.com', message: 'Header' })
  await until('the mail came', () => relay.taken.length > count)
  assert.doesNotMatch(relay.taken.at(-1)?.source.split('\r\n\r\n', 1)[0] ?? '', /bcc/i)
  const wrong = await send({ ...good, email: 'anna@example.com\r\nBcc: x@example.com' })
  assert.equal(wrong.status, 422)
})

test('a fixed answer goes to the sender once a day, without a word of what was typed', async () => {
  await site.call('SVC_Forms.update', { id: 'write', reply: 'Thank you.\n\nWe answer within a day.' })
  await typing()
  for (const message of ['First', 'Second']) await send({ ...good, email: 'ben@example.com', message })
  await until('the answer came', () => relay.taken.some(({ to }) => to[0] === 'ben@example.com'))
  assert.equal((await mailsOf('form_reply')).filter(({ to }: { to: string }) => to === 'ben@example.com').length, 1)
  const answer = relay.taken.find(({ to }) => to[0] === 'ben@example.com')
  assert(answer)
  assert.match(readable(answer), /We answer within a day\./)
  assert.doesNotMatch(readable(answer), /First/)
  await site.call('SVC_Forms.update', { id: 'write', reply: null })
})

test('a receiver without an account agrees by a link first, and only an admin sets receivers', async () => {
  await site.call('SVC_Forms.update', { id: 'write', receivers: ['owner@example.org', 'shop@example.net'] })
  await until('the link came', () => relay.taken.some(({ to }) => to[0] === 'shop@example.net'))
  const invitation = relay.taken.find(({ to }) => to[0] === 'shop@example.net')
  const link = /^http\S+\?code=[\w-]+/m.exec(readable(invitation ?? assert.fail()))?.[0] ?? ''
  const visitor = openVisitor(site)
  const { pathname, search } = new URL(link)
  const page = await visitor.open(pathname + search)
  await typing()
  await send({ ...good, message: 'Before' })
  assert.equal((await mailsOf('form')).filter(({ to }: { to: string }) => to === 'shop@example.net').length, 0)
  const agreed = await visitor.submit(page.form('/admin/receive-mails'))
  assert.equal(agreed.status, 200, agreed.text)
  await send({ ...good, message: 'After' })
  assert.equal((await mailsOf('form')).filter(({ to }: { to: string }) => to === 'shop@example.net').length, 1)
})

test('only an admin without limits sets who gets mails and what is answered, and thanks lead nowhere else', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'writer', scope: 'content' })
  for (const set of [{ receivers: ['x@example.com'] }, { reply: 'Buy this' }]) {
    const { json } = await site.api('SVC_Forms.update', { id: 'write', ...set }, { token })
    assert.equal(json.error?.code, 'refused', JSON.stringify(json))
  }
  for (const page of ['//example.com', 'https://example.com', '/\\example.com', 'thanks'])
    assert.equal((await site.api('SVC_Forms.update', { id: 'write', thanks_page: page })).json.error?.field, 'thanks_page', page)
})

test('a closed form says so, one that is gone leaves the page, and submissions of a sender are erased', async () => {
  await site.call('SVC_Forms.update', { id: 'write', open: false })
  assert.match(textOf(await stranger().open('/contact')), /takes no messages at the moment/)
  const count = (await site.call('SVC_Forms.submissions', { where: { email: 'ben@example.com' } })).items.length
  const erased = await site.call('SVC_Forms.erase', { email: 'ben@example.com', expect: count })
  assert.equal(erased.counts.done, count)
  assert.deepEqual(await stored({ email: 'ben@example.com' }), [])
  const { activity_id: id } = await site.call('SVC_Forms.delete', { id: 'write' })
  const [kept] = await stored({ state: 'new' })
  assert.deepEqual((await site.call('SVC_Forms.mark', { ids: [kept.id], status: 'done' })).done, [kept.id])
  assert.doesNotMatch((await stranger().open('/contact')).text, /<form\s+class="form"/)
  await site.call('SVC_Activity.undo', { id })
  assert.match(textOf(await stranger().open('/contact')), /takes no messages/)
})
