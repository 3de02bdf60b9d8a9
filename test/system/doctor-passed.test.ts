// `postern doctor` before nginx, whose files send calls elsewhere, drop them, or serve one name only: by each of the site's names, each call must
// get to Postern, and the row that says so must be the one.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { type Edit, openPatient, type Patient, type Plant, testPlants, unwell } from '../doctor-plants.ts'

let patient: Patient
before(async () => {
  patient = await openPatient()
})
after(() => patient[Symbol.asyncDispose]())

const site = 'postern-site.conf'
const door = 'postern-door.conf'
const proxy = 'postern-proxy.conf'
const doors = 'location ~* ^/(?:mcp|api|oauth|\\.well-known)(?:/|$) {'
const page = 'types {} default_type text/html;'
const stranger = { key: undefined, token: undefined }

/** nginx with this line before that of the doors. */
const inserted = (line: string): readonly Edit[] => [[site, doors, `${line}\n${doors}`]]

const plants: readonly Plant[] = [
  {
    id: 'passed',
    planted: 'nobody sends /mcp on',
    usual: true,
    edits: inserted('location ~* ^/mcp { return 404; }'),
    says: /^POST \S+\/mcp\/ came back with 404, \d+ bytes of text\/html, answered by nginx: the call does not reach Postern/,
    fix: /^location ~\* \^\/\(\?:mcp\|.* in \/etc\/nginx\/snippets\/postern-site\.conf$/,
  },
  {
    id: 'passed',
    planted: 'the page of another program, as far as a stranger can tell',
    edits: inserted(`location ~* ^/mcp { ${page} return 200 "<!doctype html><title>App</title>"; }`),
    options: () => stranger,
    says: /\/mcp\/ came back with 200, .*the call does not reach Postern/,
    fix: /^location/,
  },
  {
    id: 'passed',
    planted: '/api/ is another program’s, which speaks JSON too',
    edits: inserted(`location ~* ^/api { default_type application/json; return 404 '{"error":"no"}'; }`),
    says: /\/api\/ came back with 404, .*the call does not reach Postern/,
    fix: /^location/,
  },
  {
    id: 'passed',
    planted: 'POST is refused',
    edits: inserted('location ~* ^/mcp { limit_except GET { deny all; } include snippets/postern-door.conf; }'),
    says: /\/mcp\/ came back with 403, /,
    fix: /^location/,
  },
  {
    id: 'passed',
    planted: 'the token endpoint alone is shut',
    edits: inserted('location = /oauth/token { return 403; }'),
    says: /\/oauth\/token came back with 403/,
    fix: /^location/,
  },
  {
    id: 'passed',
    planted: 'the connection is closed without a word',
    edits: inserted('location ~* ^/mcp { return 444; }'),
    says: /^POST \S+\/mcp\/ gets no answer, while other requests do: socket hang up/,
    fix: /drops the call/,
  },
  {
    id: 'certificate',
    planted: 'there is none',
    edits: [],
    options: () => ({
      base: { scheme: 'http', host: `site.example:${patient.front.port}`, path: '' },
      names: { instead: new Map([['site.example', ['127.0.0.1']]]) },
    }),
    says: /^site\.example is served over plain http\. Hosted clients require https/,
    fix: /^certbot certonly -d site\.example/,
  },
  {
    id: 'twin',
    planted: 'another site by the www. name',
    edits: inserted('if ($host = www.localhost) { return 404; }'),
    says: /www\.localhost:\d+\/\S+ came back with 404, .*under the name www\.localhost the call does not reach Postern/,
    fix: /^server_name localhost www\.localhost; {3}in \/etc\/nginx\/conf\.d\/postern\.conf/,
  },
  {
    id: 'slash-redirect',
    planted: 'by the www. name alone',
    edits: inserted('set $asked "$host$uri"; if ($asked = www.localhost/mcp) { return 301 /mcp/; }'),
    says: /POST http:\/\/www\.localhost:\d+\/mcp came back with 301/,
    fix: /^location/,
  },
  {
    id: 'slash-redirect',
    planted: 'by a server that takes itself to be on another port',
    edits: [
      [site, doors, `port_in_redirect off; location /mcp/ { include snippets/postern-door.conf; }\n${doors.replace('mcp|', '')}`],
      ['postern-server.conf', 'absolute_redirect off;', ''],
    ],
    says: /\/mcp came back with 301, .*Location http:\/\/localhost\/mcp\//,
    fix: /^location/,
  },
  {
    id: 'door-redirect',
    planted: 'the door of scripts alone',
    edits: inserted('location ~* ^/api { return 301 https://api.example.org/; }'),
    says: /\/api\/ is redirected to https:\/\/api\.example\.org/,
    fix: /return 308/,
  },
  {
    id: 'host',
    planted: 'the port is lost',
    edits: [[proxy, /proxy_set_header Host .*/, 'proxy_set_header Host $host;']],
    says: /^Asked as localhost:\d+, the site believes that it is localhost:?\d*: the port differs/,
    fix: /^proxy_set_header Host \$host:\$server_port; {3}in /,
  },
  {
    id: 'body-size',
    planted: 'a limit between 16 and 60 MiB, told in the form of the door',
    edits: [[door, /client_max_body_size.*/, 'client_max_body_size 20m;']],
    says: /A body of 60 MiB came back with 413, \d+ bytes of application\/json/,
    fix: /^client_max_body_size 65m;/,
  },
  {
    id: 'upstream-down',
    planted: 'a page with 503, as Apache answers',
    edits: inserted(`location ~* ^/mcp { return 503; }`),
    says: /\/mcp\/ came back with 503, .*can't reach Postern/,
    fix: /systemctl status postern/,
  },
  {
    id: 'discovery',
    planted: 'the page of another program',
    edits: [
      [
        site,
        doors,
        `location ~* ^/.well-known { ${page} return 200 "<!doctype html>"; }\n${doors.replace('|\\.well-known', '')}`,
      ],
    ],
    says: /is answered by another program: 200/,
    fix: /^location/,
  },
  {
    id: 'ai-agents',
    planted: 'one agent is shown a challenge',
    edits: inserted('if ($http_user_agent ~ "Claude-User") { return 202 "captcha"; }'),
    says: /call themselves Claude-User are refused/,
    fix: /user_agent/,
  },
  {
    id: 'ai-agents',
    planted: 'one agent is led elsewhere',
    edits: inserted('if ($http_user_agent ~ "ChatGPT-User") { return 302 /blocked; }'),
    says: /call themselves ChatGPT-User are refused/,
    fix: /user_agent/,
  },
  {
    id: 'request-filter',
    planted: 'in plain text',
    edits: inserted('location ~* ^/api { types {} default_type text/plain; return 403 "no permission"; }'),
    says: /\/api\/ came back with 403, \d+ bytes of text\/plain/,
    fix: /^Exempt/,
  },
  {
    id: 'authorization',
    planted: 'it is emptied, as far as a stranger can tell',
    edits: [[proxy, 'Authorization $http_authorization;', 'Authorization "";']],
    options: () => stranger,
    says: /was sent with an Authorization header and answered as if it had none/,
    fix: /^proxy_set_header Authorization \$http_authorization;/,
  },
]

testPlants(() => patient, plants)

test('doctor: each of several faults is told, and nothing that follows from one of them', async () => {
  const found = await patient.examine([
    [site, doors, `location /mcp/ { include snippets/postern-door.conf; }\n${doors.replace('mcp|', '')}`],
    [proxy, 'Authorization $http_authorization;', 'Authorization "";'],
    [proxy, 'X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for'],
  ])
  assert.deepEqual(Object.keys(unwell(found)), ['slash-redirect', 'forged-address', 'authorization'])
  const replaced = await patient.examine([
    [proxy, 'proxy_intercept_errors off;', 'proxy_intercept_errors on; error_page 401 404 = @planted;'],
    ...inserted('location @planted { return 404; }'),
  ])
  assert.deepEqual(Object.keys(unwell(replaced)), ['errors-replaced'])
})

test('doctor: what a stranger asks is clean; a token that is no good is not blamed on the web server', async () => {
  assert.deepEqual(unwell(await patient.examine([], {}, stranger)), {})
  assert.deepEqual(unwell(await patient.examine([], {}, { key: undefined, token: `pst_${'a'.repeat(43)}` })), {})
})

test('doctor: a name that nothing answers by is asked one question', async () => {
  let connections = 0
  const silent = createServer(() => void connections++).listen(patient.front.port, '127.0.0.2')
  await once(silent, 'listening')
  const instead = new Map([
    ['localhost', ['127.0.0.1']],
    ['www.localhost', ['127.0.0.2']],
  ])
  const found = await patient.examine([], {}, { names: { instead }, timeoutMs: 2000 })
  silent.close()
  assert.deepEqual(unwell(found), {})
  assert.equal(connections, 1)
})

test('doctor: where the header by which the site tells what it sees is taken away, the rows that need it say so', async () => {
  const found = await patient.examine([[proxy, 'proxy_redirect off;', 'proxy_redirect off; proxy_hide_header x-postern-saw;']])
  assert.deepEqual(unwell(found), {})
  const target = found.find(({ id }) => id === 'target')
  assert.equal(target?.state, 'unknown')
  assert.match(target?.message ?? '', /x-postern-saw is removed/)
})

test('doctor upstream-down: where the service does not run, nothing else is asked', async () => {
  const found = await patient.examine([['postern-http.conf', /server 127\.0\.0\.1:\d+/, 'server 127.0.0.1:9']])
  assert.deepEqual(Object.keys(unwell(found)), ['upstream-down'])
  assert.match(found.find(({ id }) => id === 'passed')?.message ?? '', /^Not checked/)
})

test('doctor upstream-down: a site that is closed says so', async () => {
  await patient.site.call('SVC_Settings.maintenance', { on: true, message: 'Back at noon.' })
  const found = await patient.examine([], { only: ['upstream-down'] })
  await patient.site.call('SVC_Settings.maintenance', { on: false })
  assert.match(unwell(found)['upstream-down'] ?? '', /^warning: .*came back with 503, and Postern says: .*Back at noon/)
})
