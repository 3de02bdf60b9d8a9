// The long form of attack 167: a thousand posts of programs at forty addresses, among twenty honest people. All twenty arrive, whatever the
// programs try, and what was thanked for is stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite } from '../site.ts'

const bots = 40
const postsOfEach = 25
const people = 20
/** As the form has it: the posts of one address that are taken as anybody's. */
const asAnybodys = 5

type Values = Readonly<Record<string, string>>

/** The ways of programs, in turn. */
const ways: readonly ((values: Values) => Values)[] = [
  (values) => values,
  (values) => ({ ...values, homepage: 'https://spam.example' }),
  (values) => ({
    ...values,
    message: `${values['message']} https://a.example https://b.example https://c.example https://d.example`,
  }),
  (values) => ({ ...values, _at: '1.aaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa' }),
  (values) => ({ ...values, email: 'no address' }),
  (values) => ({ ...values, message: `${values['message']} ${'x'.repeat(15_000)}` }),
]

/** Runs work, some of it at a time, in its order. */
async function atOnce(count: number, work: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = [...work]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await next()
  }
  await Promise.all(Array.from({ length: count }, lane))
}

test('attack 167: a thousand posts of programs among twenty honest ones: all twenty arrive', async () => {
  await using site = await openSite()
  const fields = [
    { name: 'email', label: 'Your e-mail', kind: 'email', required: true },
    { name: 'message', label: 'Message', kind: 'lines', required: true },
  ]
  await site.call('SVC_Forms.create', { slug: 'write', name: 'Write to us', fields })
  const body = '::: form {form="write"}\n:::'
  await site.call('SVC_Content.create', { type: 'page', title: 'Contact', body, status: 'published' })
  const filled = async (visitor: Visitor) => {
    const page = await visitor.open('/contact')
    return (values: Values) => visitor.submit(page.form('/contact#form-write'), values)
  }
  const at = (address: string) => filled(openVisitor(site, { 'x-forwarded-for': address }))
  const senders = await Promise.all(Array.from({ length: bots }, (_, bot) => at(`198.51.100.${bot}`)))
  const honest = await Promise.all(Array.from({ length: people }, (_, person) => at(`203.0.113.${person}`)))
  // People take some seconds to write.
  await sleep(3100)

  const thanked: string[] = []
  const posts = Array.from({ length: bots * postsOfEach }, (_, number) => async () => {
    const way = ways[number % ways.length] ?? ((values) => values)
    const message = `Buy ${number}.`
    const answer = await senders[number % bots]?.(way({ email: 'bot@example.com', message }))
    assert.ok(answer && [303, 422, 429, 503].includes(answer.status), `${answer?.status}`)
    if (answer.status === 303) thanked.push(message)
  })
  const statuses: number[] = []
  const letters = honest.map((send, person) => async () => {
    const { status } = await send({ email: `person${person}@example.com`, message: `Honest ${person}.` })
    statuses.push(status)
  })
  const every = posts.length / letters.length
  const mixed = letters.flatMap((letter, index) => [...posts.slice(index * every, (index + 1) * every), letter])
  await atOnce(16, mixed)

  assert.deepEqual(statuses, Array(people).fill(303))
  const stored = async (state: string) => {
    const all: string[] = []
    let cursor: string | undefined
    do {
      const page = await site.call('SVC_Forms.submissions', { where: { state }, limit: 100, ...(cursor && { cursor }) })
      all.push(...page.items.map(({ values }: { values: { message: string } }) => values.message))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return all
  }
  const fresh = await stored('new')
  const spam = await stored('spam')
  assert.equal(fresh.filter((message) => message.startsWith('Honest')).length, people)
  const taken = fresh.length - people
  assert.ok(taken <= bots * asAnybodys, `${taken} posts of programs are new`)
  // Nothing that was thanked for is dropped.
  const kept = [...fresh, ...spam].map((message) => /^\w+ \d+\./.exec(message)?.[0])
  assert.deepEqual(
    thanked.filter((message) => !kept.includes(message)),
    [],
  )
  assert.ok(spam.length > 0)
  console.log(`${thanked.length} posts of programs were thanked for: ${taken} new, ${spam.length} spam`)
})
