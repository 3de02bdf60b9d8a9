// The cost of the first home page after a publication: its data, its excerpts and the theme, in all threads.

import { setTimeout as sleep } from 'node:timers/promises'
import { entryBody } from './cases.mjs'
import { threadMicros } from './servers.mjs'

/** Milliseconds of processor time. */
export const aim = 6

/** The time until the work after a publication is done: the search index, and a look for due jobs. */
const settledMs = 700
/** The time until the page is stored after the answer. */
const storedMs = 30

/** Publishes a page and asks for the home page. @returns processor microseconds of the answer, in all threads */
export async function loadHome({ address, pid }, token) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const title = `News ${Math.random().toString(36).slice(2)}`
  const body = JSON.stringify({ action: 'SVC_Content.create', type: 'page', title, status: 'published', body: entryBody })
  const published = await fetch(`${address}/api/`, { method: 'POST', headers, body })
  const said = await published.text()
  if (published.status !== 200) throw new Error(`home: the publication answers ${published.status} ${said.slice(0, 300)}`)
  await sleep(settledMs)
  const before = threadMicros(pid)
  const response = await fetch(`${address}/`)
  await response.text()
  if (response.status !== 200) throw new Error(`home: the page answers ${response.status}`)
  await sleep(storedMs)
  return { cpu: threadMicros(pid) - before }
}
