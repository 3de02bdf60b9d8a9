// `postern doctor` before nginx in a subdirectory, in front of this release and of an old one with all that those did to answers.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeep } from '../deep-run.ts'
import { openPatient, type Patient, type Plant, testPlants, unwell } from '../doctor-plants.ts'
import { addPlugins, until } from '../plugin-site.ts'

const subdirectory = 'postern-subdirectory.conf'
const inserted = /location ~\* \^\/\\\.well-known\/\(\?:oauth-authorization-server[^]*?\n\}\n/

// test/system/doctor-subdirectory.test.ts stands for this group in the usual runs.
describe('in a subdirectory', { skip: !isDeep }, () => {
  let patient: Patient
  before(async () => {
    patient = await openPatient({ front: { basePath: '/blog' } })
  })
  after(() => patient[Symbol.asyncDispose]())

  test('doctor: in a subdirectory files as they are written are clean', async () => {
    assert.deepEqual(unwell(await patient.examine([])), {})
  })

  const plants: readonly Plant[] = [
    {
      id: 'inserted-documents',
      planted: 'the second location is missing',
      edits: [[subdirectory, inserted, '']],
      says: /\/\.well-known\/oauth-protected-resource\/blog\/mcp\/ came back with 404/,
      fix: /^location ~\* \^\/\\\.well-known/,
    },
    {
      id: 'subdirectory',
      planted: 'the slug is cut off',
      edits: [
        [subdirectory, /^/, 'location ^~ /blog/ { proxy_set_header Host $host:$server_port; proxy_pass http://postern/; }\n'],
      ],
      says: /\/blog\/mcp\/ arrives at Postern without \/blog/,
      fix: /^proxy_pass http:\/\/127\.0\.0\.1:8080;/,
    },
    {
      id: 'slash-redirect',
      planted: 'location /blog/mcp/',
      edits: [
        [
          subdirectory,
          /^/,
          'location ^~ /blog/mcp/ { include snippets/postern-door.conf; }\nlocation = /blog/mcp { return 301 /blog/mcp/; }\n',
        ],
      ],
      says: /POST \S+\/blog\/mcp came back with 301/,
      fix: /\^\/blog\/\(\?:mcp/,
    },
  ]
  testPlants(() => patient, plants)
})

describe('an old release', () => {
  let patient: Patient
  before(async () => {
    patient = await openPatient({ site: { release: '0.10' }, front: { basePath: '/blog' } })
  })
  after(() => patient[Symbol.asyncDispose]())

  const found = async (id: string) =>
    (await patient.examine([], { only: [id] })).find(({ state }) => state === 'warning' || state === 'broken')

  test('doctor old-release: POST /mcp is redirected by Postern itself', async () => {
    const { message, fix } = (await found('old-release')) ?? {}
    assert.match(message ?? '', /POST \S+\/blog\/mcp came back with 302, an empty body, .*the behaviour of an old release/)
    assert.match(fix ?? '', /POSTERN_COMPAT/)
    assert.equal(await found('slash-redirect'), undefined, 'it is not the web server')
  })

  test('doctor empty-answer: a byte that is no UTF-8 is answered with nothing', async () => {
    assert.match((await found('empty-answer'))?.message ?? '', /came back with 200 and an empty body/)
  })

  test('doctor legacy-bridge: an active bridge refuses good tokens', async () => {
    await patient.site.call('SVC_Plugins.activate', { id: 'legacy-bridge', may: ['authenticate'] })
    const { message, fix } = (await found('legacy-bridge')) ?? {}
    assert.match(message ?? '', /a good token came back with -32001/)
    assert.match(fix ?? '', /plugin deactivate legacy-bridge/)
    await patient.site.postern(['plugin', 'deactivate', 'legacy-bridge'])
    await until('the service sees what the command line did', async () => (await found('legacy-bridge')) === undefined)
  })

  test('doctor unclean-answer: what a plugin prints stands before the JSON', async () => {
    await addPlugins(patient.site, 'trouble')
    const { message, fix, seen } = (await found('unclean-answer')) ?? {}
    assert.match(message ?? '', /is not JSON/)
    assert.match(seen ?? '', /^printed while loading/)
    assert.match(fix ?? '', /plugin deactivate/)
  })
})
