// The OpenAPI document: of the caller's actions only, right by its own meta-schema as far as it is used, and true of the calls that the site takes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { openSite, type TestSite } from '../site.ts'

type Document = any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions

let site: TestSite
before(async () => (site = await openSite()))
after(() => site[Symbol.asyncDispose]())

const whole = async (token: string | null = site.token): Promise<Document> =>
  (await site.send('/api/openapi.json', { token })).json
const named = (document: Document): string[] =>
  Object.keys(document.paths['/api/'].post.requestBody.content['application/json'].schema.discriminator.mapping)

/** The parts of OpenAPI 3.1 that the document uses, as its specification has them; nothing else may be there. */
const only = { additionalProperties: false }
const schemaRef = Type.Object({ $ref: Type.String({ pattern: '^#/components/schemas/[A-Za-z0-9._-]+$' }) }, only)
const media = Type.Object(
  {
    schema: Type.Unknown(),
    examples: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9._-]+$' }),
        Type.Object({ summary: Type.String(), value: Type.Unknown() }, only),
      ),
    ),
  },
  only,
)
const content = Type.Object({ 'application/json': media }, only)
const response = Type.Object({ description: Type.String(), content }, only)
const openApi = Type.Object(
  {
    openapi: Type.String({ pattern: '^3\\.1\\.\\d+$' }),
    info: Type.Object({ title: Type.String(), version: Type.String({ minLength: 1 }), description: Type.String() }, only),
    servers: Type.Array(Type.Object({ url: Type.String({ format: 'uri' }) }, only), { minItems: 1 }),
    security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
    paths: Type.Record(
      Type.String({ pattern: '^/' }),
      Type.Object(
        {
          post: Type.Object(
            {
              operationId: Type.String(),
              summary: Type.String(),
              requestBody: Type.Object({ required: Type.Boolean(), content }, only),
              responses: Type.Record(Type.String({ pattern: '^(?:[1-5]\\d\\d|default)$' }), response),
            },
            only,
          ),
        },
        only,
      ),
    ),
    components: Type.Object(
      {
        securitySchemes: Type.Record(
          Type.String(),
          Type.Object({ type: Type.Literal('http'), scheme: Type.Literal('bearer') }, only),
        ),
        schemas: Type.Record(Type.String({ pattern: '^[A-Za-z0-9._-]+$' }), Type.Object({})),
      },
      only,
    ),
  },
  only,
)

const refsIn = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, one]) => (key === '$ref' ? [String(one)] : refsIn(one)))

test('the document has the form of OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const document = await whole()
  const check = Compile(openApi)
  assert.deepEqual(check.Errors(document)[1].slice(0, 3), [])
  const body = document.paths['/api/'].post.requestBody.content['application/json'].schema
  assert.ok(body.oneOf.every((one: unknown) => Compile(schemaRef).Check(one)))
  for (const reference of [...refsIn(document), ...Object.values<string>(body.discriminator.mapping)])
    assert.ok(document.components.schemas[reference.replace('#/components/schemas/', '')], reference)
})

test('every example fits the schema of its call and of no other, and a wrong call fits none', async () => {
  const document = await whole()
  const { examples } = document.paths['/api/'].post.requestBody.content['application/json']
  const checks = new Map(named(document).map((name) => [name, Compile(document.components.schemas[`${name}.call`])] as const))
  for (const [id, { value }] of Object.entries<{ value: { action: string } }>(examples)) {
    assert.equal(checks.get(value.action)?.Check(value), true, id)
    assert.equal(checks.get(value.action === 'SVC_API.welcome' ? 'SVC_API.batch' : 'SVC_API.welcome')?.Check(value), false, id)
  }
  const update = checks.get('SVC_Content.update')
  for (const wrong of [{}, { id: 1 }, { id: '/a', surprise: true }])
    assert.equal(update?.Check({ action: 'SVC_Content.update', arguments: wrong }), false, JSON.stringify(wrong))
})

test('a call that the document describes is taken as it stands, and what it answers fits the document', async () => {
  const { components, paths } = await whole()
  const { value } = paths['/api/'].post.requestBody.content['application/json'].examples['SVC_Settings.list.1']
  const answer = await site.send('/api/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
    token: site.token,
  })
  assert.equal(answer.json.success, true, answer.text)
  assert.equal(Compile(components.schemas['SVC_Settings.list.data']).Check(answer.json.data), true)
})

test('attack 84: each caller gets the document of its own actions, which no cache stores', async () => {
  for (const scope of [null, 'read', 'content', 'admin']) {
    const token = scope === null ? null : ((await site.call('SVC_Tokens.create', { name: scope, scope })).token as string)
    const listed = (await site.api('SVC_API.list-actions', { full: true }, { token })).json.data.items
    const expected = listed.map((one: { class: string; action: string }) => `${one.class}.${one.action}`)
    const answer = await site.send('/api/openapi.json', { token })
    assert.deepEqual(named(answer.json), expected, String(scope))
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
  assert.equal(JSON.stringify(await whole(null)).includes('SVC_Accounts'), false)
})

test('the action answers the classes that fit, names the others, and answers each of them alone', async () => {
  const { document, complete, left_out: leftOut, url } = await site.call('SVC_API.openapi')
  assert.equal(url, `${site.base}/api/openapi.json`)
  assert.equal(complete, leftOut.length === 0)
  const all = new Set(named(document))
  // A class that is too long is answered in parts, down to single actions.
  const ask = async (name: string): Promise<void> => {
    const one = await site.call('SVC_API.openapi', { arguments: { class: name } })
    assert.equal(one.complete, one.left_out.length === 0, name)
    for (const action of named(one.document)) all.add(action)
    for (const part of one.left_out as string[]) {
      assert.ok(part.startsWith(`${name}.`), part)
      await ask(part)
    }
  }
  for (const name of leftOut) await ask(name)
  assert.deepEqual([...all].toSorted(), named(await whole()).toSorted())
  const hidden = (await site.api('SVC_API.openapi', { arguments: { class: 'SVC_Accounts' } }, { token: null })).json.error
  const absent = (await site.api('SVC_API.openapi', { arguments: { class: 'SVC_Nothing' } }, { token: null })).json.error
  assert.deepEqual([hidden.code, absent.code], ['unknown_action', 'unknown_action'])
})
