// `postern doctor` before Apache and Caddy, with the files that `postern nginx --for` writes: they are clean. And before a front of the tests' own,
// for what none of the three can be made to do.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { type DoctorKey, parseDoctorKey } from '../../src/doctor/doctor-key.ts'
import { createDoctor, type DoctorAnswer, type Question } from '../../src/doctor/doctor.ts'
import {
  apiWithToken,
  exchange,
  front,
  isHtml,
  issuer,
  mcpWithToken,
  objectOf,
  postApi,
  postBare,
  postMcp,
  postUpper,
  register,
  resource,
} from '../../src/doctor/questions.ts'
import { runDoctor } from '../../src/doctor/run-doctor.ts'
import { deepTest } from '../deep-run.ts'
import { cannedDoctor } from '../doctor/canned.ts'
import { optionsFor, unwell } from '../doctor-plants.ts'
import { freePorts, openFront, type Ports } from '../front.ts'
import { openSite, type TestSite } from '../site.ts'

const optionsOf = async (site: TestSite, base: string, ports: Ports) => {
  const key = parseDoctorKey((await site.call('SVC_Health.doctor-key')).key) as DoctorKey
  return { ...optionsFor(base, ports), token: site.token, key }
}

for (const kind of ['apache', 'caddy'] as const) {
  for (const basePath of ['', '/blog']) {
    const isUsual = (kind === 'apache') === (basePath !== '')
    const declare = isUsual ? test : deepTest
    void declare(`doctor: ${kind} with its files as they are written is clean${basePath && ' in a subdirectory'}`, async () => {
      const ports = await freePorts()
      const base = `http://localhost:${ports.port}${basePath}`
      await using site = await openSite({ basePath, env: { POSTERN_BASE_URL: base } })
      await using _front = await openFront({ kind, basePath, ports, upstream: site.port, home: site.home })
      assert.deepEqual(unwell(await runDoctor(await optionsOf(site, base, ports))), {})
    })
  }
}

test('doctor: a site with nobody in front, on this machine alone, is clean', async () => {
  await using site = await openSite()
  const ports = { port: site.port, plainPort: 1 }
  const findings = await runDoctor(await optionsOf(site, site.base, ports))
  assert.deepEqual(unwell(findings), {})
  assert.deepEqual(
    findings.filter(({ state }) => state === 'unknown').map(({ id }) => id),
    ['name'],
  )
})

test('the answers on which the doctor’s rows are tried are those of a real site', async () => {
  await using site = await openSite()
  const options = await optionsOf(site, site.base, { port: site.port, plainPort: 1 })
  const useless = [postMcp, postApi].map((one): Question => ({ ...one, token: 'useless' }))
  const paths = ['/.well-known/none', '/admin/', '/mcp/doctor%2Fasks//for', '/user-content/logs/postern-errors.log']
  const questions = [
    resource,
    issuer,
    postMcp,
    postBare,
    postUpper,
    postApi,
    exchange,
    register,
    front,
    mcpWithToken,
    apiWithToken,
  ]
  const all = [...questions, ...useless, ...paths.map((path): Question => ({ path }))]
  const real = await createDoctor(options).askAll(all)
  const canned = await cannedDoctor({ base: options.base }).askAll(all)
  const facts = (one: DoctorAnswer, members: readonly string[]) => ({
    what: one.what,
    status: one.status,
    members: members.filter((name) => objectOf(one)?.[name] !== undefined),
    isHtml: isHtml(one),
    challenge: one.headers['www-authenticate']?.match(/^\w+|error="\w+"/g),
    mark: one.headers['x-answered-by'],
    seen: [one.seen?.target, one.seen?.authorization, one.seen?.bytes],
  })
  const membersOf = (one: DoctorAnswer) => Object.keys(objectOf(one) ?? {})
  assert.deepEqual(
    real.map((one, index) => facts(one, membersOf(canned[index] as DoctorAnswer))),
    canned.map((one) => facts(one, membersOf(one))),
  )
})

/** What the front does with an answer of the site's; undefined passes it on. */
type Habit = (answer: IncomingMessage, outgoing: ServerResponse, count: number) => Promise<void> | undefined

test('doctor events: a front that waits for the whole answer', async () => {
  await behindHabit(
    async (answer, outgoing): Promise<void> => {
      const whole = await buffer(answer)
      const { 'transfer-encoding': _, ...headers } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, { ...headers, server: 'Apache/2.4.62' }).end(whole)
    },
    async (site, base, ports) => {
      const [found] = await runDoctor(await optionsOf(site, base, ports), { only: ['events'] })
      assert.match(found?.message ?? '', /arrived together/)
      assert.match(found?.fix ?? '', /^ProxyPass .* flushpackets=on/, 'the line is that of the server in front')
    },
  )
})

test('doctor keep-alive-race: now and then a call ends in 502', async () => {
  await behindHabit(
    (answer, outgoing, count) => {
      if (count % 3 !== 0) return undefined
      answer.resume()
      outgoing.writeHead(502).end('<html>Bad Gateway')
      return Promise.resolve()
    },
    async (site, base, ports) => {
      const options = { ...(await optionsOf(site, base, ports)), gapsMs: 1 }
      const found = (await runDoctor(options, { only: ['keep-alive-race'] }))[0]
      assert.match(found?.message ?? '', /2 of 6 requests failed: the service closes idle connections/)
      assert.match(found?.fix ?? '', /^keepalive_timeout 60s;/)
    },
  )
})

async function behindHabit(habit: Habit, run: (site: TestSite, base: string, ports: Ports) => Promise<void>): Promise<void> {
  await using site = await openSite()
  let count = 0
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '/', headers } = incoming
    const passed = request({ host: '127.0.0.1', port: site.port, method, path, headers }, (answer) => {
      void (
        habit(answer, outgoing, ++count) ??
        Promise.resolve(answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)))
      )
    })
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await run(site, `http://localhost:${port}`, { port, plainPort: 1 })
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}
