// `postern doctor` before a real nginx at a host's root, over plain http: right files are clean, and each change of them is found by its row.

import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openVisitor } from '../admin/visitor.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { openPatient, type Patient, type Plant, testPlants, unwell } from '../doctor-plants.ts'
import { runPostern } from '../site.ts'

let patient: Patient
before(async () => {
  patient = await openPatient()
  const documents = join(patient.front.folder, 'planted', '.well-known')
  await mkdir(documents, { recursive: true })
  await writeFile(join(documents, 'oauth-protected-resource'), '{"resource":"http://old.example/mcp/"}')
})
after(() => patient[Symbol.asyncDispose]())

const door = 'postern-door.conf'
const site = 'postern-site.conf'
const proxy = 'postern-proxy.conf'
const http = 'postern-http.conf'
const doors = 'location ~* ^/(?:mcp|api|oauth|\\.well-known)(?:/|$) {'
const otherDoors = 'location ~* ^/(?:mcp|api|oauth)(?:/|$) {'

test('doctor: files as they are written are clean, and found so by a few dozen requests', async () => {
  const findings = await patient.examine([])
  const asked = (await patient.front.accessLog()).split('\n').filter((line) => line.includes('"agent":"Postern doctor"'))
  assert.ok(asked.length > 10 && asked.length < 50, `${asked.length} requests`)
  assert.deepEqual(unwell(findings), {})
  assert.deepEqual(
    findings.filter(({ state }) => state === 'unknown').map(({ id }) => id),
    ['name'],
  )
})

const plants: readonly Plant[] = [
  {
    id: 'slash-redirect',
    planted: 'location /mcp/ instead of an expression',
    usual: true,
    edits: [[site, doors, `location /mcp/ { include snippets/postern-door.conf; }\n${doors.replace('mcp|', '')}`]],
    says: /POST http:\/\/localhost:\d+\/mcp came back with 301, \d+ bytes of text\/html/,
    fix: /^location ~\* /,
  },
  {
    id: 'door-redirect',
    planted: 'the www. name is redirected, doors and all',
    edits: [[site, doors, `if ($host = www.localhost) { return 301 http://localhost:$server_port$request_uri; }\n${doors}`]],
    says: /http:\/\/www\.localhost:\d+\/\S* is redirected to http:\/\/localhost/,
    fix: /return 308/,
  },
  {
    id: 'redirect-loop',
    planted: 'pages are led to https by a server that https reaches as http',
    edits: [[site, /location \/ \{/, 'location / { return 301 http://$http_host$request_uri;']],
    says: /is redirected in a circle: /,
    fix: /Full \(strict\)/,
  },
  {
    id: 'upstream-down',
    planted: 'the upstream has another port',
    edits: [[http, /server 127\.0\.0\.1:\d+/, 'server 127.0.0.1:9']],
    says: /came back with 503.* can't reach Postern/,
    fix: /systemctl status postern/,
  },
  {
    id: 'target',
    planted: 'proxy_pass with a slash behind the name, where it is tidied',
    edits: [
      [
        site,
        doors,
        `location /mcp/ { proxy_set_header Host $host:$server_port; proxy_pass http://postern/mcp/; }\nlocation = /mcp { include snippets/postern-door.conf; }\n${doors.replace('mcp|', '')}`,
      ],
    ],
    says: /\/mcp\/doctor%2Fasks\/\/for was requested, and \/mcp\/doctor\/asks\/for arrived/,
    fix: /^proxy_pass http:\/\/postern;/,
  },
  {
    id: 'forged-address',
    planted: 'what the client says of its address is passed on',
    usual: true,
    edits: [[proxy, 'X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for']],
    says: /to come from 192\.0\.2\.77 was believed/,
    fix: /\$remote_addr/,
  },
  {
    id: 'authorization',
    planted: 'Authorization is emptied',
    usual: true,
    edits: [[proxy, 'Authorization $http_authorization;', 'Authorization "";']],
    says: /sent with an Authorization header and arrived without it/,
    fix: /^proxy_set_header Authorization \$http_authorization;/,
  },
  {
    id: 'basic-auth',
    planted: 'a password over the doors too',
    edits: [[door, 'auth_basic off;', 'auth_basic "Private"; auth_basic_user_file /etc/passwd;']],
    says: /asks for HTTP basic auth/,
    fix: /^auth_basic off;/,
  },
  {
    id: 'body',
    planted: 'the body is left out',
    edits: [
      [proxy, 'proxy_redirect off;', 'proxy_redirect off; proxy_pass_request_body off; proxy_set_header Content-Length "";'],
    ],
    says: /was sent with a body of \d+ bytes, and 0 arrived/,
    fix: /proxy_pass_request_body off/,
  },
  {
    id: 'body-size',
    planted: "nginx's own limit of 1 MiB, with its own page",
    edits: [
      [door, /client_max_body_size.*/, ''],
      [door, 'error_page 413 @postern_large;', ''],
    ],
    says: /A body of 2 MiB came back with 413/,
    fix: /^client_max_body_size 65m;/,
  },
  {
    id: 'body-size',
    planted: 'a limit between 16 and 60 MiB',
    edits: [
      [door, /client_max_body_size.*/, 'client_max_body_size 20m;'],
      [door, 'error_page 413 @postern_large;', ''],
    ],
    says: /A body of 60 MiB/,
    fix: /^client_max_body_size 65m;/,
  },
  {
    id: 'discovery',
    planted: '/.well-known/ is looked for on disk',
    usual: true,
    edits: [[site, doors, `location /.well-known/ { root /var/www/nothing; }\n${otherDoors}`]],
    says: /is looked for on disk/,
    fix: /^location ~\* /,
  },
  {
    id: 'discovery',
    planted: 'hidden files are refused',
    edits: [[site, doors, `location ~ /\\. { deny all; }\n${otherDoors}`]],
    says: /refused with 403 by a rule for hidden files/,
    fix: /\(\?!well-known\)/,
  },
  {
    id: 'discovery',
    planted: 'an old document lies on disk',
    edits: () => [[site, doors, `location /.well-known/ { root ${join(patient.front.folder, 'planted')}; }\n${otherDoors}`]],
    says: /is a file on disk, .*application\/octet-stream/,
    fix: /^Delete the file/,
  },
  {
    id: 'discovery-cached',
    planted: 'a cache that heeds no header',
    edits: () => [
      [http, /^/, `proxy_cache_path ${join(patient.front.folder, 'cache')} keys_zone=planted:1m;\n`],
      [
        proxy,
        'proxy_cache off;',
        'proxy_cache planted; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control; add_header X-Cache-Status $upstream_cache_status;',
      ],
      [door, 'proxy_buffering off;', 'proxy_buffering on;'],
    ],
    says: /comes from a cache/,
    fix: /^proxy_cache off;/,
  },
  {
    id: 'bot-challenge',
    planted: 'a captcha with status 202',
    edits: [
      [
        site,
        doors,
        `location /.well-known/ { types {} default_type text/html; return 202 "<!doctype html><title>Just a moment...</title><p>Solve the captcha."; }\n${otherDoors}`,
      ],
    ],
    says: /challenge for a browser: 202/,
    fix: /bot protection/,
  },
  {
    id: 'ai-agents',
    planted: 'two agents are refused',
    edits: [
      [site, doors, `if ($http_user_agent ~ "Claude-User|ChatGPT-User") { return 403 "Your request was blocked."; }\n${doors}`],
    ],
    says: /call themselves Claude-User, ChatGPT-User are refused, others are not/,
    fix: /user_agent/,
  },
  {
    id: 'bot-challenge',
    planted: 'a challenge of the edge with status 403',
    edits: [[site, doors, `location = /mcp/ { add_header cf-mitigated challenge always; return 403; }\n${doors}`]],
    says: /POST \S+\/mcp\/ came back with a challenge for a browser: 403/,
    fix: /bot protection/,
  },
  {
    id: 'host',
    planted: 'Host is not passed, and the site refuses the one that comes',
    edits: [[proxy, /proxy_set_header Host .*/, '']],
    says: /Asked as localhost, the site believes that it is postern/,
    fix: /^proxy_set_header Host \$host;/,
  },
  {
    id: 'request-filter',
    planted: 'a filter on registration',
    usual: true,
    edits: [
      [
        site,
        doors,
        `location ^~ /oauth/register { types {} default_type text/html; return 403 "<html>You do not have permission to access this document."; }\n${doors}`,
      ],
    ],
    says: /POST \S+\/oauth\/register came back with 403/,
    fix: /^Exempt/,
  },
  {
    id: 'errors-replaced',
    planted: 'proxy_intercept_errors on, with pages of its own',
    edits: [
      [proxy, 'proxy_intercept_errors off;', 'proxy_intercept_errors on; error_page 404 401 /planted.html;'],
      [site, doors, `location = /planted.html { types {} default_type text/html; return 200 "<html>Nothing here."; }\n${doors}`],
    ],
    says: /replaces Postern's errors by its own page/,
    fix: /^proxy_intercept_errors off;/,
  },
  {
    id: 'unclean-answer',
    planted: 'text before the JSON',
    edits: [[door, 'gzip off;', 'gzip off; sub_filter_types *; sub_filter \'{"resource"\' \'Notice: x {"resource"\';']],
    says: /which is not JSON/,
    fix: /plugin deactivate/,
  },
  {
    id: 'events',
    planted: 'streams are compressed',
    edits: [[door, 'gzip off;', 'gzip on;']],
    says: /compressed \(gzip\)/,
    fix: /gzip off/,
  },
  {
    id: 'stream-cut',
    planted: 'a read timeout of one second',
    edits: [[proxy, 'proxy_read_timeout 300s;', 'proxy_read_timeout 1s;']],
    says: /was cut off before its end/,
    fix: /^proxy_read_timeout 300s;/,
  },
]

testPlants(() => patient, plants)

/** Before the rule that closes the folders. */
const denied = 'location ~* ^/user-content/'

const openedFolders: readonly Plant[] = [
  {
    id: 'protected-folders',
    planted: 'the web server hands out the home from disk',
    usual: true,
    edits: () => [[site, denied, `location ^~ /user-content/ { root ${patient.site.home}; }\n${denied}`]],
    says: /^GET \S+\/user-content\/logs\/postern-errors\.log came back with 200, .*answered by nginx.*: anyone can read/,
    fix: /^location ~\* \^\/user-content\/.* return 403; .*in \/etc\/nginx\/snippets\/postern-site\.conf/,
  },
  {
    id: 'protected-folders',
    planted: 'a folder is listed',
    edits: () => [[site, denied, `location ~ ^/user-content/skills/$ { root ${patient.site.home}; autoindex on; }\n${denied}`]],
    says: /^GET \S+\/user-content\/skills\/ came back with 200/,
    fix: /return 403;/,
  },
  {
    id: 'subdirectory',
    planted: 'the site has its host to itself, and is asked below a slug',
    edits: [],
    says: /\/blog\/\S+ is answered by Postern with 404: it is set up for the host's root/,
    fix: /^POSTERN_BASE_URL=http:\/\/localhost:\d+\/blog {3}in \/etc\/postern\/postern\.env/,
    options: () => ({ base: { scheme: 'http', host: `localhost:${patient.front.port}`, path: '/blog' } }),
  },
]
testPlants(() => patient, openedFolders)

/** What the command finds on a machine that knows nothing of the site but its address. */
async function fromAfar(words: readonly string[]): Promise<readonly Finding[]> {
  const { front } = patient
  const reach = ['--resolve', 'localhost:127.0.0.1', '--plain-port', String(front.plainPort)]
  const env = { PATH: process.env['PATH'] ?? '', POSTERN_HOME: join(front.folder, 'no-home') }
  const { stdout, stderr } = await runPostern(env, ['doctor', '--url', front.base, ...reach, '--json', ...words])
  assert.ok(stdout.startsWith('{'), stdout + stderr)
  return JSON.parse(stdout).findings
}

const statesOf = (findings: readonly Finding[]) => findings.map(({ id, state }) => [id, state])
const planted = ['--only', 'protected-folders,uploads']

test('doctor protected-folders: with an admin token from afar the service plants files, and what it finds is told as the doctor’s own', async () => {
  const skills = `location ~ ^/user-content/skills/.+\\.md$ { root ${patient.site.home}; }\n${denied}`
  await patient.examine([[site, denied, skills]], { only: ['name'] })
  assert.deepEqual(statesOf(await fromAfar(planted)), [
    ['protected-folders', 'ok'],
    ['uploads', 'unknown'],
  ])
  const found = await fromAfar([...planted, '--token', patient.site.token])
  assert.deepEqual(statesOf(found), [
    ['protected-folders', 'broken'],
    ['uploads', 'ok'],
  ])
  assert.match(found[0]?.message ?? '', /^Anyone can read the files in \/user-content\/skills\//)
  assert.match(found[0]?.fix ?? '', /^location ~\* /)
  assert.match(found[0]?.source ?? '', /^the service itself/)
  await patient.examine([], { only: ['name'] })
  assert.deepEqual(statesOf(await fromAfar([...planted, '--token', patient.site.token])), [
    ['protected-folders', 'ok'],
    ['uploads', 'ok'],
  ])
})

test('doctor protected-folders: the log on disk is found from afar with no token, and with any', async () => {
  await patient.examine([[site, denied, `location ^~ /user-content/logs/ { root ${patient.site.home}; }\n${denied}`]], {
    only: ['name'],
  })
  for (const token of [[], ['--token', patient.site.token], ['--token', `pst_${'a'.repeat(43)}`]]) {
    const found = await fromAfar([...planted, ...token])
    assert.deepEqual(statesOf(found)[0], ['protected-folders', 'broken'])
  }
  await patient.examine([], { only: ['name'] })
})

test('doctor uploads: an .html and an .svg that the web server hands out as they are', async () => {
  const check = async () => (await patient.site.call('SVC_Health.check', { only: ['uploads'] })).items[0]
  await patient.examine([[site, doors, `location /user-content/uploads/ { root ${patient.site.home}; }\n${doors}`]], {
    only: ['name'],
  })
  const { state, message, fix } = await check()
  assert.deepEqual([state, message.slice(0, 42)], ['broken', 'An upload that ends in .html or .svg runs '])
  assert.match(fix, /postern-upload\.conf/)
  await patient.examine([], { only: ['name'] })
  assert.equal((await check()).state, 'ok')
})

test('doctor: SVC_Health.check runs the same rows in the service, and the admin is told what they found', async () => {
  await patient.examine([[proxy, 'X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for']], {
    only: ['name'],
  })
  const { items } = await patient.site.call('SVC_Health.check', { only: ['forged-address', 'target', 'events'] })
  assert.deepEqual(
    items.map(({ check, state }: Record<string, string>) => [check, state]),
    [
      ['target', 'ok'],
      ['forged-address', 'broken'],
      ['events', 'ok'],
    ],
  )
  const owner = openVisitor(patient.site)
  await owner.signIn()
  assert.ok((await owner.open('/admin/')).text.includes('was believed'))
})
