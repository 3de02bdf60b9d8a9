// `postern doctor` before nginx over TLS, on a site that nobody told its address: names, certificates, versions of HTTP, and what of an address
// gets lost on the way.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createSilent, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runDoctor } from '../../src/doctor/run-doctor.ts'
import { openDns, openPatient, optionsFor, type Patient, type Plant, testPlants, unwell } from '../doctor-plants.ts'
import { freePorts } from '../front.ts'

let patient: Patient
let dns: Awaited<ReturnType<typeof openDns>>
let port: number
before(async () => {
  patient = await openPatient({ front: { tls: true }, nameless: true })
  port = patient.front.port
  makeCertificate('elsewhere', 'elsewhere.example', 2)
  makeCertificate('expired', 'localhost', -1)
  dns = await openDns({
    localhost: { A: ['93.184.215.14'] },
    'www.localhost': { A: ['10.8.0.5'] },
    'other.localhost': { AAAA: ['2606:4700:0:0:0:0:0:1'] },
  })
})
after(async () => {
  await dns[Symbol.asyncDispose]()
  await patient[Symbol.asyncDispose]()
})

/** Signed by its own key, as those of the front are. */
function makeCertificate(file: string, host: string, days: number): void {
  const at = (ending: string) => join(patient.front.folder, `${file}${ending}`)
  const run = (words: string) => execFileSync('openssl', words.split(' '), { stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at('.key')].join(' ')
  run(`req -new ${key} -out ${at('.csr')} -subj /CN=${host} -addext subjectAltName=DNS:${host}`)
  run(`x509 -req -in ${at('.csr')} -signkey ${at('.key')} -days ${days} -copy_extensions copy -out ${at('.pem')}`)
}

const trusting = (file: string) => async () => [await readFile(join(patient.front.folder, file), 'utf8')]
const certificate = (file: string) => () =>
  [
    ['postern-tls.conf', /certificate\.pem/, `${file}.pem`],
    ['postern-tls.conf', /key\.pem/, `${file}.key`],
  ] as const

test('doctor: over TLS, and known by no name of its own, files as they are written are clean', async () => {
  const names = {
    instead: new Map([
      ['localhost', ['127.0.0.1']],
      ['www.localhost', ['127.0.0.1']],
    ]),
    server: dns.server,
  }
  assert.deepEqual(unwell(await patient.examine([], {}, { names })), {})
})

const plants: readonly Plant[] = [
  {
    id: 'certificate',
    planted: 'it is for another name',
    usual: true,
    edits: certificate('elsewhere'),
    options: async () => ({ trust: await trusting('elsewhere.pem')() }),
    says: /^The certificate of localhost is not for localhost/,
    fix: /fullchain\.pem/,
  },
  {
    id: 'certificate',
    planted: 'it has expired',
    edits: certificate('expired'),
    options: async () => ({ trust: await trusting('expired.pem')() }),
    says: /^The certificate of localhost has expired/,
    fix: /fullchain\.pem/,
  },
  {
    id: 'certificate',
    planted: 'nobody knows who signed it',
    edits: [],
    options: () => ({ trust: [] }),
    says: /lacks its chain/,
    fix: /fullchain\.pem/,
  },
  {
    id: 'name',
    planted: 'an address of a private network',
    edits: [],
    options: () => ({
      base: { scheme: 'https', host: `www.localhost:${port}`, path: '' },
      names: { instead: new Map(), server: dns.server },
      timeoutMs: 300,
    }),
    says: /www\.localhost has the address 10\.8\.0\.5, which is not on the public internet/,
    fix: /A record/,
  },
  {
    id: 'name',
    planted: 'no address at all',
    edits: [],
    options: () => ({
      base: { scheme: 'https', host: 'nobody.example', path: '' },
      names: { instead: new Map(), server: dns.server },
    }),
    says: /DNS has no address for nobody\.example/,
    fix: /A record/,
  },
  {
    id: 'ipv6',
    planted: 'IPv6 addresses only',
    edits: [],
    options: () => ({
      base: { scheme: 'https', host: `other.localhost:${port}`, path: '' },
      names: { instead: new Map([['other.localhost', ['127.0.0.1']]]), server: dns.server },
    }),
    says: /other\.localhost has only IPv6 addresses/,
    fix: /A record too/,
  },
  {
    id: 'ipv6',
    planted: 'nothing listens there',
    edits: [],
    options: () => ({ names: { instead: new Map([['localhost', ['127.0.0.1', '::1']]]) } }),
    says: /has an IPv6 address for localhost, but nothing answers there: .*ECONNREFUSED/,
    fix: /^listen \[::\]:443/,
  },
  {
    id: 'ipv6',
    planted: 'another site listens there',
    edits: () => [
      ['postern.conf', /^/, `server { listen [::1]:${port} ssl http2; include snippets/postern-tls.conf; return 404; }\n`],
    ],
    options: () => ({ names: { instead: new Map([['localhost', ['127.0.0.1', '::1']]]) } }),
    says: /localhost serves another site over IPv6 than over IPv4/,
    fix: /^listen \[::\]:443/,
  },
  {
    id: 'http2',
    planted: 'it answers otherwise by HTTP/2',
    edits: [['postern-site.conf', doors(), `if ($server_protocol = "HTTP/2.0") { return 500; }\n${doors()}`]],
    says: /Over HTTP\/2 .* came back with 500, .*; over HTTP\/1\.1 with 200/,
    fix: /^listen 443 ssl http2;/,
  },
  {
    id: 'door-redirect',
    planted: 'a POST over plain http is redirected',
    edits: [['postern-redirect.conf', 'return 403 $postern_insecure_text;', 'return 301 https://$host:1$request_uri;']],
    says: /POST http:\/\/localhost:\d+\/mcp\/ is redirected to https:/,
    fix: /return 308/,
  },
  {
    id: 'scheme',
    planted: 'X-Forwarded-Proto is not passed',
    edits: [['postern-proxy.conf', 'X-Forwarded-Proto $scheme', 'X-Forwarded-Proto ""']],
    says: /Asked over https, the site gives clients the address http:\/\/localhost/,
    fix: /^proxy_set_header X-Forwarded-Proto \$scheme;/,
  },
  {
    id: 'scheme',
    planted: 'X-Forwarded-Proto is passed, with the wrong value',
    edits: [['postern-proxy.conf', 'X-Forwarded-Proto $scheme', 'X-Forwarded-Proto http']],
    says: /X-Forwarded-Proto arrives, but POSTERN_BASE_URL says http/,
    fix: /^POSTERN_BASE_URL=https:\/\/localhost:\d+ {3}in \/etc\/postern\/postern\.env/,
  },
  {
    id: 'host',
    planted: 'Host is not passed',
    edits: [['postern-proxy.conf', /proxy_set_header Host .*/, '']],
    says: /Asked as localhost, the site believes that it is postern/,
    fix: /^proxy_set_header Host \$host;/,
  },
  {
    id: 'canonical',
    planted: 'the site tells the address of another host',
    edits: [['postern-proxy.conf', /proxy_set_header Host .*/, 'proxy_set_header Host old.example;']],
    says: /Asked as localhost, the site gives clients the address https:\/\/old\.example\/mcp\//,
    fix: /^POSTERN_BASE_URL=https:\/\/localhost:\d+ /,
  },
  {
    id: 'canonical',
    planted: 'a host that is not served',
    edits: [],
    options: () => ({
      base: { scheme: 'https', host: `other.localhost:${port}`, path: '' },
      names: { instead: new Map([['other.localhost', ['127.0.0.1']]]) },
    }),
    says: /other\.localhost is refused with 421/,
    fix: /POSTERN_ALLOWED_HOSTS/,
  },
]

function doors(): string {
  return 'location ~* ^/(?:mcp|api|oauth|\\.well-known)(?:/|$) {'
}

testPlants(() => patient, plants)

test('doctor reachable: nothing takes connections, or nothing answers; of all else nothing is said', async () => {
  const { port: closed, plainPort } = await freePorts()
  const found = await runDoctor(optionsFor(`http://localhost:${closed}`, { port: closed, plainPort }))
  assert.deepEqual(Object.keys(unwell(found)), ['reachable'])
  assert.match(unwell(found)['reachable'] ?? '', /Nothing accepts connections at localhost:\d+ on port \d+/)
  const silent = createSilent().listen(0, '127.0.0.1')
  await new Promise((ready) => silent.once('listening', ready))
  const options = optionsFor(`http://localhost:${(silent.address() as AddressInfo).port}`, { port: closed, plainPort })
  const [quiet] = await runDoctor({ ...options, timeoutMs: 300 }, { only: ['reachable'] })
  assert.match(
    quiet?.message ?? '',
    /accepts connections, but then there is no answer in 0\.3 s: the service or the web server hangs/,
  )
  assert.match(quiet?.fix ?? '', /^systemctl restart postern/)
  silent.close()
})

test('doctor reachable: packets are dropped on the way', async () => {
  // Who stands still takes no more connections than fit into its queue, and the system drops what comes then.
  const standing = `require('node:net').createServer().listen({port: 0, host: '127.0.0.1', backlog: 1}, function () {
    console.log(this.address().port)
    process.kill(process.pid, 'SIGSTOP')
  })`
  const child = spawn(process.execPath, ['-e', standing], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(String((await once(child.stdout, 'data'))[0]))
  const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  try {
    await once(waiting[0] as Socket, 'connect')
    const options = optionsFor(`http://localhost:${port}`, { port, plainPort: 1 })
    const [dropped] = await runDoctor({ ...options, timeoutMs: 500 }, { only: ['reachable'] })
    assert.match(dropped?.message ?? '', /does not answer: no connection in 0\.5 s\. .*--url/)
    assert.match(dropped?.fix ?? '', /ufw allow/)
  } finally {
    for (const socket of waiting) socket.destroy()
    child.kill('SIGKILL')
  }
})

test('doctor clock: the server lives in another time', async () => {
  const server = createServer((_incoming, outgoing) => {
    outgoing.setHeader('date', new Date(Date.now() - 60_000).toUTCString())
    outgoing.end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const ports = { port: (server.address() as AddressInfo).port, plainPort: 1 }
  const [found] = await runDoctor(optionsFor(`http://localhost:${ports.port}`, ports), { only: ['clock'] })
  assert.match(found?.message ?? '', /are 59 s apart|are 60 s apart/)
  assert.match(found?.fix ?? '', /set-ntp true/)
  server.close()
})
