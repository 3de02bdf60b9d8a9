// `npm run bench -- --uploads`: the cost of uploading photos. It measures the processor seconds of all processes of the service
// until every size of a 12-megapixel photo exists, the delay of the event loop during that time, and the most memory that those
// processes need while ten photos are uploaded at once.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { cpuMicros, residentMb, startService } from './servers.mjs'
import { makeToken } from './site.mjs'

export const aims = { loopP99Ms: 20, peakMb: 400 }

const atOnce = 10
/** The number of photos over which the delay of the event loop is measured. */
const watched = 3

/** @returns the figures of a new site in `home`. @param print called with each figure as it is measured */
export async function measureUploads(home, print) {
  const token = await makeToken(home)
  const service = await startService({ home })
  const site = { ...service, token, photo: await photo() }
  const found = { photoMb: site.photo.length / 1024 ** 2 }
  const tell = (name, value) => {
    found[name] = value
    print?.(found, name)
  }
  try {
    await uploadAll(site, 1) // starts the process that makes the sizes
    const before = treeSeconds(service.pid)
    await uploadAll(site, 1)
    tell('seconds', treeSeconds(service.pid) - before)
    await eventLoopMs(site)
    await sleep(2000)
    tell('idleP99Ms', await eventLoopMs(site))
    for (let place = 0; place < watched; place++) await uploadAll(site, 1)
    tell('loopP99Ms', await eventLoopMs(site))
    tell('peakMb', await peakDuring(service.pid, () => uploadAll(site, atOnce)))
    return found
  } finally {
    await service.stop()
  }
}

/** A noisy photo of 12 megapixels, about 5 MB. */
function photo() {
  const [width, height] = [1000, 750]
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .resize(4000, 3000)
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** The same picture as another file: a JPEG may contain a comment after its first two bytes. */
function otherFile(jpeg) {
  const comment = randomBytes(16).toString('hex')
  const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), marker, Buffer.from(comment), jpeg.subarray(2)])
}

/** Uploads several photos at once and waits until all their sizes exist. */
async function uploadAll(site, count) {
  const ids = await Promise.all(Array.from({ length: count }, () => upload(site)))
  await Promise.all(ids.map((id) => sizesOf(site, id)))
}

async function upload(site) {
  const body = new FormData()
  for (const [key, value] of Object.entries({ class: 'SVC_Media', action: 'upload', alt: 'A photo' })) body.set(key, value)
  body.set('file', new Blob([otherFile(site.photo)]), 'photo.jpg')
  return (await send(site, body)).item.id
}

async function sizesOf(site, id) {
  for (;;) {
    const { item } = await send(site, JSON.stringify({ action: 'SVC_Media.get', id }), { 'content-type': 'application/json' })
    if (item.sizes === 'ready') return
    if (item.sizes !== 'making') throw new Error(`uploads: the sizes are ${item.sizes}: ${item.problem}`)
    await sleep(100)
  }
}

async function send({ address, token }, body, headers = {}) {
  const sent = { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers }, body }
  const { data, error } = await (await fetch(`${address}/api/`, sent)).json()
  if (error) throw new Error(`uploads: ${JSON.stringify(error)}`)
  return data
}

/**
 * The 99th percentile of the delay of the service's event loop since the last call. The service measures from the first call on.
 */
async function eventLoopMs({ address, token }) {
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const [, seconds] = /event_loop_delay_seconds\{quantile="0\.99"\} (\S+)/.exec(await answer.text()) ?? []
  return Number(seconds) * 1000
}

async function peakDuring(pid, work) {
  let most = 0
  const look = () => (most = Math.max(most, sum(treeOf(pid).map(orGone(residentMb)))))
  const timer = setInterval(look, 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return most
}

/** Processor seconds of the process and its descendants, including those that have ended. */
const treeSeconds = (pid) => sum(treeOf(pid).map(orGone((one) => cpuMicros(one, { ended: true })))) / 1e6

/** The process and all its descendants. */
function treeOf(root) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [Number(pid), orGone(parentOf)(pid)]))
  const tree = [root]
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child)
  return tree
}

const parentOf = (pid) => Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Zero for a process that has ended in the meantime. */
const orGone = (read) => (pid) => {
  try {
    return read(pid)
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0
    throw error
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0)
