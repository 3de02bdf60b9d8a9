// Wrong inputs of models and people, each sent to a door. One is helped if it is taken and its outcome is right, or if the refusal names what
// was wrong and what would be right. Those that aren't helped are printed with their answers; with `TEST_ANSWERS=1` all are, to be read: a
// pattern can match a sentence that helps nobody.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'
import { wrongCalls } from './wrong-inputs/calls.ts'
import { wrongNames } from './wrong-inputs/names.ts'
import { wrongRequests } from './wrong-inputs/requests.ts'
import { wrongValues } from './wrong-inputs/values.ts'
import type { Request, WrongInput } from './wrong-inputs/wrong-input.ts'

/** The number that are helped at least. It only goes up; the aim is 155. */
const leastHelped = 161

const wrongInputs: readonly WrongInput[] = [...wrongNames, ...wrongCalls, ...wrongValues, ...wrongRequests]

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let site: TestSite
const tokens: { [as: string]: string | null } = { nobody: null, stranger: `pst_${'a'.repeat(43)}` }

before(async () => {
  site = await openSite()
  const mint = async (scope: string, limits = {}): Promise<string> =>
    (await site.call('SVC_Tokens.create', { name: scope, scope, limits })).token
  tokens['reader'] = await mint('read')
  tokens['drafter'] = await mint('content', { drafts_only: true })
  for (const [title, body] of [
    ['About', 'We bake.'],
    ['Team', 'Ann and Ben.'],
  ] as const) {
    await site.call('SVC_Content.create', { type: 'page', title, body, status: 'published' })
  }
  await site.call('SVC_Types.create', { slug: 'concert', name: 'Concert', fields: [{ name: 'seats', kind: 'number' }] })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'News' })
  await site.call('SVC_Media.upload', { filename: 'harbour.png', base64: pixel, alt: 'The harbour' })
  await site.call('SVC_Menus.create', { slug: 'main', name: 'Main Menu', location: 'main', items: [{ entry: '/about' }] })
})
after(() => site[Symbol.asyncDispose]())

/** The answer of a door, without what wraps it: JSON in the text of a result is read. */
async function ask({ path, method, headers, body, as }: Request): Promise<{ readonly isTaken: boolean; readonly text: string }> {
  const token = as === undefined ? site.token : (tokens[as] ?? null)
  const sent = body?.replaceAll('SITE', site.base)
  const answer = await site.send(path, {
    token,
    ...(method && { method }),
    ...(headers && { headers }),
    ...(sent !== undefined && { body: sent }),
  })
  const read = parsed(answer.text)
  const message = read?.error ?? read?.result ?? read
  const inner = message?.content?.[0]?.text as string | undefined
  const text = inner ?? (read === undefined ? answer.text : JSON.stringify(message))
  const isTaken =
    answer.status < 300 && read !== undefined && !read.error && parsed(text)?.success !== false && message?.isError !== true
  return { isTaken, text }
}

/** A text as JSON; undefined if it is none. */
function parsed(text: string): any {
  // oxlint-disable-line no-explicit-any -- what came over the wire
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const helps = ({ says, taken }: WrongInput, { isTaken, text }: { readonly isTaken: boolean; readonly text: string }): boolean =>
  isTaken ? taken?.test(text) === true : says !== undefined && says.every((words) => words.test(text))

/** An answer on one line, short enough for a list. */
const inShort = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 300)

test('of 161 wrong inputs, most are taken as they were meant, or refused in words that help', async () => {
  assert.equal(wrongInputs.length, 161)
  const unhelped: string[] = []
  for (const input of wrongInputs) {
    const answer = await ask(input.send)
    const isHelped = helps(input, answer)
    const line = `${input.what}: ${inShort(answer.text)}`
    if (!isHelped) unhelped.push(line)
    if (process.env['TEST_ANSWERS']) process.stdout.write(`${isHelped ? 'helped' : 'not helped'}: ${line}\n`)
  }
  const helped = wrongInputs.length - unhelped.length
  const count = `${helped} of ${wrongInputs.length} wrong inputs are helped`
  process.stdout.write(`${count}. Those that are not:\n  ${unhelped.join('\n  ')}\n`)
  assert.ok(helped >= leastHelped, count)
})

test('the name of an action as a tool runs nothing', async () => {
  const { items } = await site.call('SVC_Content.list', { where: { title: 'By a wrong name' } })
  assert.deepEqual(items, [])
})

test('each wrong input is told apart by its name', () => {
  assert.equal(new Set(wrongInputs.map(({ what }) => what)).size, wrongInputs.length)
})
