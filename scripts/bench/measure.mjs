// Measures one case: checks the answers, sends every request once, warms up every server, and then measures the servers in turn, so
// that a slow moment of the machine affects all of them.

import autocannon from 'autocannon'
import { cpuMicros } from './servers.mjs'

const connections = 10

/**
 * @param one a row of cases.mjs
 * @param {{ service, bare, sdk, against }} servers as servers.mjs starts them; sdk and against, the service of another checkout,
 * may be left out
 * @param {{ token: string, home: string, count: number, rounds: number, seconds: number }} options count: entries of the site
 * @returns for each server the median of requests per second, and the least processor time per request in microseconds, because
 * other processes can only add to it; the median of the ratios of requests per second, and the ratios of those least times
 */
export async function measure(one, { service, bare, sdk, against }, { token, home, count, rounds, seconds }) {
  const { requests, prepare } = await open(one, { token, home, count, address: service.address })
  await prepare()
  const answer = await check(one, service, requests)
  await bare.tell({ status: answer.status, type: answer.type, body: answer.text })
  const contenders = { service, bare }
  if (against) {
    await check(one, against, requests)
    contenders.against = against
  }
  if (one.sdk && sdk) {
    await sdk.tell({ value: JSON.parse(answer.text).result.structuredContent })
    const same = await send(sdk.address, requests[0])
    if (!one.good(same)) throw new Error(`${one.name}: the SDK's server answers ${same.status} ${same.text.slice(0, 300)}`)
    contenders.sdk = sdk
  }
  if (!one.fresh && !one.open)
    for (const server of [service, ...(against ? [against] : [])])
      for (const request of requests) await send(server.address, request)
  const asked = { service: requests, bare: unchanging(requests), sdk: requests, against: requests }
  const round = async (name, server, long) => {
    if (server === service) await prepare()
    return load(one, server, asked[name], long)
  }
  for (const [name, server] of Object.entries(contenders)) await round(name, server, Math.min(1, seconds))
  const found = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let place = 0; place < rounds; place++)
    for (const [name, server] of Object.entries(contenders)) found[name].push(await round(name, server, seconds))
  await prepare()
  await check(one, service, requests)
  return { one, bytes: Buffer.byteLength(answer.text), ...summary(found) }
}

async function open(one, { token, count, ...site }) {
  const { requests, prepare = async () => undefined } = one.open ? await one.open(site) : { requests: one.requests(count) }
  return { requests: requests.map((request) => signed(request, token)), prepare }
}

/**
 * The same requests for a server that accepts the same request body twice. Each request is still built anew, because that is work
 * for the load generator.
 */
function unchanging(requests) {
  return requests.map(({ took, body, ...request }) => {
    if (typeof body !== 'function') return { ...request, ...(body === undefined ? {} : { body }) }
    const text = body()
    return { ...request, body: () => text, ...(took ? { took: JSON.parse } : {}) }
  })
}

/** Converts a request to autocannon's form. */
function forLoad({ body, took, ...request }) {
  if (typeof body !== 'function') return { ...request, ...(body === undefined ? {} : { body }) }
  return {
    ...request,
    setupRequest: (raw) => ({ ...raw, body: body() }),
    ...(took ? { onResponse: (status, text) => status === 200 && took(text) } : {}),
  }
}

const signed = ({ signed: wanted, ...request }, token) =>
  wanted ? { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } } : request

/**
 * Checks that the first and the last request get the right answer, of the same size. Otherwise the numbers could be those of an
 * error.
 */
async function check(one, service, requests) {
  const first = await send(service.address, requests[0])
  const last = await send(service.address, requests.at(-1))
  for (const answer of [first, last])
    if (!one.good(answer)) throw new Error(`${one.name}: the service answers ${answer.status} ${answer.text.slice(0, 300)}`)
  if (!one.fresh && Math.abs(first.text.length - last.text.length) > first.text.length / 50)
    throw new Error(`${one.name}: answers differ in size, ${first.text.length} and ${last.text.length}`)
  return first
}

async function send(address, { method, path, headers, body, took }) {
  const given = typeof body === 'function' ? body() : body
  const text = given?.replace('[<id>]', Math.random().toString(36))
  const response = await fetch(address + path, { method, headers, ...(text === undefined ? {} : { body: text }) })
  const answer = await response.text()
  if (response.status === 200) took?.(answer)
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: answer }
}

/** One round on one server. Any status other than that of the case is an error. */
async function load(one, server, requests, seconds) {
  const cpuBefore = cpuMicros(server.pid)
  const began = performance.now()
  const result = await autocannon({
    url: server.address,
    connections,
    pipelining: 1,
    duration: seconds,
    sampleInt: 100,
    idReplacement: one.fresh === true,
    requests: requests.map(forLoad),
  })
  const tookSeconds = (performance.now() - began) / 1000
  const answers = result.statusCodeStats[one.status ?? 200]?.count ?? 0
  const others = Object.keys(result.statusCodeStats).filter((status) => Number(status) !== (one.status ?? 200))
  if (answers === 0 || others.length > 0 || result.timeouts > 0)
    throw new Error(`${one.name}: ${answers} right answers, statuses ${others.join(' ') || 'none'}, ${result.timeouts} timeouts`)
  return { perSecond: answers / tookSeconds, cpu: (cpuMicros(server.pid) - cpuBefore) / answers, p99: result.latency.p99 }
}

function summary(found) {
  const middle = (name, field) => median(found[name].map((round) => round[field]))
  const ratio = (other) => median(found.service.map(({ perSecond }, place) => perSecond / found[other][place].perSecond))
  const told = {}
  for (const name of Object.keys(found))
    told[name] = { perSecond: middle(name, 'perSecond'), cpu: leastOf(found[name], 'cpu'), p99: middle(name, 'p99') }
  return {
    servers: told,
    ratio: ratio('bare'),
    bareCpu: told.bare.cpu / told.service.cpu,
    ...(found.sdk ? { sdkRatio: ratio('sdk') } : {}),
    ...(found.against ? { againstCpu: told.service.cpu / told.against.cpu } : {}),
  }
}

/**
 * The least value of a figure. Other work on the machine can only add to processor time, so the least value is the closest to the
 * truth.
 */
export const leastOf = (rounds, field) => Math.min(...rounds.map((round) => round[field]))

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
