// A site with two processes on one socket, and connections of which it is known which process answers.

import { readFileSync } from 'node:fs'
import { Client } from 'undici'
import { freePort } from './free-port.ts'
import { openSite, type ProcessSite } from './site.ts'
import { until } from './until.ts'

/** A connection to one of the processes. */
export interface Side {
  readonly name: string
  readonly send: (path: string, options?: SideOptions) => Promise<{ status: number; text: string }>
  /** A call on `/api/`. @returns the answer as JSON, which may be a failure */
  readonly api: (call: string, input?: Readonly<Record<string, unknown>>, token?: string) => Promise<any> // oxlint-disable-line no-explicit-any
  /** The `data` of a call that must succeed. */
  readonly call: Side['api']
}

export interface SideOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface TwoWorkers extends AsyncDisposable {
  readonly site: ProcessSite
  readonly one: Side
  readonly two: Side
  /** A new connection to the process of this name. */
  connect(name: string): Promise<Side>
  /** The process ids by name. */
  pids(): Promise<ReadonlyMap<string, number>>
}

export async function openTwoWorkers(env: Readonly<Record<string, string>> = {}): Promise<TwoWorkers> {
  // A port of its own: with 0 the site would move to another port if both processes were down for a moment.
  const site = await openSite({
    ownProcess: true,
    env: { POSTERN_PORT: String(await freePort()), POSTERN_PROCESSES: '2', POSTERN_MAX_REQUESTS_PER_SOCKET: '1000000', ...env },
  })
  await until('both processes listen', () => site.log.filter((line) => line.includes('"listening"')).length >= 2)
  const clients = new Set<Client>()
  const connect: TwoWorkers['connect'] = async (name) => {
    for (let attempt = 0; attempt < 2000; attempt++) {
      const client = new Client(site.address, { pipelining: 1, keepAliveTimeout: 600_000, keepAliveMaxTimeout: 600_000 })
      const side = sideOf(client, name, site.token)
      if ((await side.send('/healthz')).text.includes(`process: ${name}\n`)) {
        clients.add(client)
        return side
      }
      // Kept open for a moment, so that the process that took it is not always the first to take the next one.
      setTimeout(() => void client.close(), 50)
    }
    throw new Error(`No connection came to process ${name}.`)
  }
  return {
    site,
    connect,
    one: await connect('1'),
    two: await connect('2'),
    async pids() {
      const found = new Map<string, number>()
      const children = readFileSync(`/proc/${site.pid}/task/${site.pid}/children`, 'utf8').trim().split(' ').map(Number)
      for (const pid of children) {
        const name = /(?:^|\0)POSTERN_INSTANCE=(\d+)\0/.exec(environmentOf(pid))?.[1]
        if (name !== undefined) found.set(name, pid)
      }
      return found
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...clients].map((client) => client.destroy()))
      await site[Symbol.asyncDispose]()
    },
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}

function sideOf(client: Client, name: string, own: string): Side {
  const send: Side['send'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await client.request({ path, method, headers, ...(body === undefined ? {} : { body }) })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  const api: Side['api'] = async (call, input = {}, token = own) => {
    const { text } = await send('/api/', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: call, ...input }),
    })
    return JSON.parse(text)
  }
  return {
    name,
    send,
    api,
    async call(name, input, token) {
      const answer = await api(name, input, token)
      if (answer.success !== true) throw new Error(`${name}: ${JSON.stringify(answer)}`)
      return answer.data
    },
  }
}
