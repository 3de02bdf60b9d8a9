// The types of calls through a handle. What `@ts-expect-error` marks must not compile: the type check fails where it does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Static, Type } from 'typebox'
import { type Action, action } from '../../src/actions/call/action.ts'
import { type AnswerOf, callAction, type InputOf } from '../../src/actions/call/call-action.ts'
import { plugins } from '../../src/actions/plugins/index.ts'
import { tokens } from '../../src/actions/tokens/index.ts'
import type { Caller } from '../../src/identity/caller.ts'
import type { Services } from '../../src/actions/call/services.ts'

const listOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  action('Test.list', {
    title: 'Test',
    summary: 'For a test.',
    tier: 'admin',
    effect: 'read',
    failures: [],
    touches: 'nothing',
    input: Type.Object({ limit: Type.Optional(Type.Integer()) }),
    output: Type.Object({ items: Type.Array(item) }),
    examples: [],
    run: () => ({ items: [] }),
  })

const whole = listOf(Type.Object({ id: Type.String(), used: Type.Boolean() }))
const dropped = listOf(Type.Object({ id: Type.String() }))

/** As a page shows an item. */
const show = ({ id, used }: { id: string; used: boolean }) => `${id} ${used}`

test('a field that an action drops breaks the build of the page that shows it', () => {
  const page = (answer: AnswerOf<typeof whole.output>) => answer.items.map(show)
  // @ts-expect-error -- `used` is not answered any more
  const broken = (answer: AnswerOf<typeof dropped.output>) => answer.items.map(show)
  assert.deepEqual(page({ items: [{ id: 'a', used: true }] }), ['a true'])
  assert.equal(broken.length, 1)
})

test('an action keeps the types of its schemas, and is one of the registry all the same', () => {
  const actions: readonly Action[] = [tokens.create, tokens.list, tokens.revoke, whole]
  const item = { id: 'x', used: false } satisfies Static<typeof whole.output>['items'][number]
  assert.deepEqual([actions.length, item.used], [4, false])
})

test('a call through a handle takes the arguments of its action, and texts as forms have them', () => {
  const good: readonly InputOf<typeof tokens.create.input>[] = [
    { name: 'x', scope: 'read' },
    { name: 'x', scope: 'as somebody typed it', limits: { per_minute: 'ten' } },
  ]
  // @ts-expect-error -- `name` is missing
  const unnamed: InputOf<typeof tokens.create.input> = { scope: 'read' }
  // @ts-expect-error -- there is no argument `scopes`
  const misspelt: InputOf<typeof tokens.create.input> = { name: 'x', scope: 'read', scopes: [] }
  const either: readonly InputOf<typeof tokens.revoke.input>[] = [
    { ids: ['a', 'b'], expect: 2 },
    { id: 'a', expect: 1 },
  ]
  assert.equal([...good, unnamed, misspelt, ...either].length, 6)
})

test('`select` names fields of the answer, and the answer has those alone', () => {
  const calls = (site: Services, caller: Caller) => ({
    selected: () => callAction(site, caller, plugins.list, {}, { select: ['id', 'signer'] }, { origin: '' }),
    // @ts-expect-error -- a plugin has no field `price`
    unknown: () => callAction(site, caller, plugins.list, {}, { select: ['price'] }, { origin: '' }),
  })
  type Selected = NonNullable<Awaited<ReturnType<ReturnType<typeof calls>['selected']>>['data']>
  const signer = ({ items }: Selected): (string | null)[] => items.map((item) => item.signer)
  // @ts-expect-error -- `name` was not selected
  const name = ({ items }: Selected) => items.map((item) => item.name)
  assert.deepEqual(signer({ items: [{ id: 'x', signer: null }] }), [null])
  assert.equal(name.length, 1)
})
