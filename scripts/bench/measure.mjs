// Measures one case: checks the answers, asks everything once, warms every server up, then goes round among them, so that a slow
// moment hits all alike.

import autocannon from 'autocannon'
import { cpuMicros } from './servers.mjs'

const connections = 10

/**
 * @param one a row of cases.mjs
 * @param {{ service, bare, sdk }} servers as servers.mjs starts them
 * @param {{ token: string, count: number, rounds: number, seconds: number }} options count: entries of the site
 * @returns for each server medians of requests a second and of processor microseconds a request, and the median of the rounds' ratios
 */
export async function measure(one, { service, bare, sdk }, { token, count, rounds, seconds }) {
  const requests = one.requests(count).map((request) => signed(request, token))
  const answer = await check(one, service, requests)
  await bare.tell({ status: answer.status, type: answer.type, body: answer.text })
  const contenders = { service, bare }
  if (one.sdk) {
    await sdk.tell({ value: JSON.parse(answer.text).result.structuredContent })
    const same = await send(sdk.address, requests[0])
    if (!one.good(same)) throw new Error(`${one.name}: the SDK's server answers ${same.status} ${same.text.slice(0, 300)}`)
    contenders.sdk = sdk
  }
  if (!one.fresh) for (const request of requests) await send(service.address, request)
  for (const server of Object.values(contenders)) await load(one, server, requests, Math.min(1, seconds))
  const found = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, server] of Object.entries(contenders)) found[name].push(await load(one, server, requests, seconds))
  await check(one, service, requests)
  return { one, bytes: Buffer.byteLength(answer.text), ...summary(found) }
}

const signed = ({ signed: wanted, ...request }, token) =>
  wanted ? { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } } : request

/** The first and the last request, answered rightly and in one size: figures of an error would be worth nothing. */
async function check(one, service, requests) {
  const first = await send(service.address, requests[0])
  const last = await send(service.address, requests.at(-1))
  for (const answer of [first, last])
    if (!one.good(answer)) throw new Error(`${one.name}: the service answers ${answer.status} ${answer.text.slice(0, 300)}`)
  if (!one.fresh && Math.abs(first.text.length - last.text.length) > first.text.length / 50)
    throw new Error(`${one.name}: answers differ in size, ${first.text.length} and ${last.text.length}`)
  return first
}

async function send(address, { method, path, headers, body }) {
  const text = body?.replace('[<id>]', Math.random().toString(36))
  const response = await fetch(address + path, { method, headers, ...(text === undefined ? {} : { body: text }) })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

/** One round on one server. Any other status than the case's is an error. */
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
    requests,
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
  const ratio = (other) => median(found.service.map((round, place) => round.perSecond / found[other][place].perSecond))
  const told = {}
  for (const name of Object.keys(found))
    told[name] = { perSecond: middle(name, 'perSecond'), cpu: middle(name, 'cpu'), p99: middle(name, 'p99') }
  return { servers: told, ratio: ratio('bare'), ...(found.sdk ? { sdkRatio: ratio('sdk') } : {}) }
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
