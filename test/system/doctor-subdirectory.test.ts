// `postern doctor` before a real nginx with the site below /blog: files as they are written are clean, and the slash behind proxy_pass is named.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPatient, type Patient, type Plant, testPlants, unwell } from '../doctor-plants.ts'

let patient: Patient
before(async () => {
  patient = await openPatient({ front: { basePath: '/blog' } })
})
after(() => patient[Symbol.asyncDispose]())

const file = 'postern-subdirectory.conf'
const first = 'include snippets/postern-server.conf;'
/** As it stands in many guides. */
const guide = () =>
  [
    [
      file,
      first,
      `${first}\nlocation ^~ /blog/ { proxy_set_header Host $http_host; proxy_pass http://127.0.0.1:${patient.site.port}/; }`,
    ],
  ] as const

test('doctor: below a slug, files as they are written are clean', async () => {
  assert.deepEqual(unwell(await patient.examine([])), {})
})

const says =
  /^POST http:\/\/localhost:\d+\/blog\/mcp\/ arrives at Postern without \/blog: .*"proxy_pass http:\/\/127\.0\.0\.1:8080\/;": remove that slash\.$/
const fix = /^proxy_pass http:\/\/127\.0\.0\.1:8080; .*in \/etc\/nginx\/snippets\/postern-subdirectory\.conf {3}without the slash/

const plants: readonly Plant[] = [
  { id: 'subdirectory', planted: 'proxy_pass with a slash behind the port', usual: true, edits: guide, says, fix },
  {
    id: 'subdirectory',
    planted: 'the same, asked by somebody without key and token',
    edits: guide,
    says,
    fix,
    options: () => ({ key: undefined, token: undefined }),
  },
]
testPlants(() => patient, plants)

test('doctor: the slash behind proxy_pass is told once, and ascribed to nobody else', async () => {
  const only = ['passed', 'discovery', 'target', 'subdirectory', 'canonical', 'errors-replaced', 'inserted-documents', 'twin']
  for (const options of [{}, { key: undefined, token: undefined }]) {
    const found = unwell(await patient.examine(guide(), { only }, options))
    assert.deepEqual(Object.keys(found), ['subdirectory'])
  }
})

test('a 404 of Postern bears its mark, at each door and at none, with the subdirectory that it has', async () => {
  await patient.examine([], { only: ['name'] })
  for (const path of ['/no-such-page', '//mcp/', '//', '/.well-known/nothing', '/admin/nothing', '//.well-known/nothing']) {
    const answer = await patient.site.send(path)
    assert.deepEqual([answer.status, answer.headers.get('x-answered-by')], [404, 'Postern at /blog'], path)
  }
  assert.equal((await patient.site.send('/')).headers.get('x-answered-by'), null)
})
