// Attacks 131 to 134: hostile texts at every text input of every action, and at every field of every form of the admin. What each
// distinct consumer makes of them is in hostile-consumers.test.ts. Bodies are rendered in a thread of their own: the event loop's time is looked at.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { adminPaths } from '../../src/admin/paths.ts'
import { openVisitor, type Form } from '../admin/visitor.ts'
import { assertLinear, hostileKinds, hostileText, spentMs, type Threads } from '../hostile-text.ts'
import { openSite, type ProcessSite } from '../site.ts'

type Node = Readonly<Record<string, unknown>>
type Input = Readonly<Record<string, unknown>>

interface Described {
  readonly class: string
  readonly action: string
  readonly effect: string
  readonly examples: readonly { readonly input: Input }[]
  readonly input: Node
}

/** Where a text stands in an input; a number is a place in a list, `null` the name of a member. */
interface Place {
  readonly path: readonly (string | number | null)[]
  readonly maxLength: number
}

const textLength = 60_000

let site: ProcessSite
let actions: Described[]

before(async () => {
  site = await openSite({ ownProcess: true, env: { POSTERN_RATE_LIMITS: 'off' } })
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: '# About\n\nWho we are.' })
  await site.call('SVC_Content.create', { type: 'post', title: 'Hello', body: 'First words.' })
  const listed = (await site.call('SVC_API.list-actions', { full: true })).items as { class: string; action: string }[]
  const described = listed.map(({ class: ofClass, action }) =>
    site.call('SVC_API.describe-action', { arguments: { class: ofClass, action, full: true } }),
  )
  actions = (await Promise.all(described)) as Described[]
})
after(() => site[Symbol.asyncDispose]())

function placesOf(schema: unknown, path: Place['path']): readonly Place[] {
  if (schema === null || typeof schema !== 'object') return []
  const node = schema as Node
  const named = Object.entries((node['properties'] ?? {}) as Node).flatMap(([name, part]) => placesOf(part, [...path, name]))
  const members = Object.values((node['patternProperties'] ?? {}) as Node).flatMap((part) => [
    { path: [...path, null], maxLength: textLength },
    ...placesOf(part, [...path, 'a']),
  ])
  const choices = [node['anyOf'], node['oneOf']].flatMap((some) => (Array.isArray(some) ? some : []))
  const own = node['type'] === 'string' || Object.keys(node).every((key) => key === 'description')
  return [
    ...(own ? [{ path, maxLength: Number(node['maxLength'] ?? textLength) }] : []),
    ...named,
    ...members,
    ...placesOf(node['items'], [...path, 0]),
    ...choices.flatMap((choice) => placesOf(choice, path)),
  ]
}

/** An input with a text at a place; what is on the way there is made where the example lacks it. */
function withText(value: unknown, path: Place['path'], text: string): unknown {
  const [step, ...rest] = path
  if (step === undefined) return text
  if (step === null) return { [text]: 1 }
  if (typeof step === 'number') {
    const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : []
    return [withText(first, rest, text), ...others]
  }
  const before = value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Input) : {}
  return { ...before, [step]: withText(before[step], rest, text) }
}

/** Inputs that are rendered, in a thread that has a deadline. */
const isRendered = (path: Place['path']): boolean => /^(?:body|markdown|edits|calls)$/.test(String(path[0]))

const spent = (threads: Threads, send: () => Promise<unknown>): Promise<number> => spentMs(site.process, threads, send)

test('attacks 131, 133, 134: every text of every input of every action costs linear time, as long as it may be and longer', async () => {
  let tried = 0
  for (const one of actions) {
    const name = `${one.class}.${one.action}`
    const options = one.effect === 'read' ? {} : { dry_run: true }
    for (const { path, maxLength } of placesOf(one.input, [])) {
      const threads = isRendered(path) ? 'event loop' : 'all'
      for (const length of new Set([Math.min(maxLength, textLength), textLength]))
        for (const kind of hostileKinds) {
          const what = `${name} ${path.map((step) => step ?? '*').join('.')} of ${length} ${kind}`
          const send = (size: number) => {
            const input = withText(one.examples[0]?.input ?? {}, path, hostileText(kind, size))
            return site.api(name, { arguments: input, ...options })
          }
          tried++
          await assertLinear(what, length, (size) => spent(threads, () => send(size)))
        }
    }
  }
  assert.ok(tried > 2_000, `${tried}`)
})

test('attacks 131, 132: every field of every form of the admin costs linear time', async () => {
  const visitor = openVisitor(site)
  await visitor.signIn()
  const forms = new Map<string, Form>()
  for (const path of Object.values(adminPaths)) {
    const page = await visitor.open(path)
    // Whoever signs out sends no more forms.
    for (const form of page.forms) if (!form.action.endsWith(adminPaths.signOut)) forms.set(form.action, form)
  }
  assert.ok(forms.size >= 5, [...forms.keys()].join(', '))
  for (const [action, form] of forms)
    for (const field of [...Object.keys(form.fields), 'unknown'])
      for (const kind of hostileKinds)
        await assertLinear(`${action} ${field} of ${kind}`, textLength, (size) =>
          spent('all', () => visitor.submit(form, { [field]: hostileText(kind, size) })),
        )
})
