// The doctor before a real nginx: one front whose files are changed for each plant, and put right again; and what the doctor finds.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { markProbe, parseDoctorKey } from '../src/doctor/doctor-key.ts'
import type { DoctorOptions } from '../src/doctor/doctor.ts'
import type { Finding } from '../src/doctor/finding.ts'
import { type DoctorChoice, runDoctor } from '../src/doctor/run-doctor.ts'
import { isDeep } from './deep-run.ts'
import { freePorts, type Front, type FrontOptions, needFront, openFront, type Ports } from './front.ts'
import { openSite, type SiteOptions, type TestSite } from './site.ts'

/** A change of a written file: what stands there, and what shall. `postern.conf` is below `conf.d`, all others are snippets. */
export type Edit = readonly [file: string, from: string | RegExp, to: string]

export interface Patient extends AsyncDisposable {
  readonly site: TestSite
  readonly front: Front
  /** The header of a probe by this key. */
  mark(key: string): string
  /** Runs the doctor while nginx has these files. */
  examine(edits: readonly Edit[], choice?: DoctorChoice, options?: Partial<DoctorOptions>): Promise<readonly Finding[]>
}

export interface PatientOptions {
  readonly site?: SiteOptions
  readonly front?: Partial<FrontOptions>
  /** `POSTERN_BASE_URL` is left unset. */
  readonly nameless?: boolean
}

/** A site behind nginx, as `postern nginx` writes its files. */
export async function openPatient({
  site: siteOptions = {},
  front: frontOptions = {},
  nameless = false,
}: PatientOptions = {}): Promise<Patient> {
  needFront(frontOptions)
  const ports = await freePorts()
  const { basePath = '', tls = false } = frontOptions
  const base = `${tls ? 'https' : 'http'}://localhost:${ports.port}${basePath}`
  const env = { ...(nameless ? {} : { POSTERN_BASE_URL: base }), ...siteOptions.env }
  const site = await openSite({ ...siteOptions, ...(basePath === '' ? {} : { basePath }), env })
  const front = await openFront({ ...frontOptions, ports, upstream: site.port, home: site.home })
  const files = createFiles(front)
  const key = parseDoctorKey((await site.call('SVC_Health.doctor-key')).key)
  if (!key) throw new Error('The key has another form.')
  const trust = tls ? [await readFile(join(front.folder, 'certificate.pem'), 'utf8')] : []
  return {
    site,
    front,
    mark: (text) => markProbe(parseDoctorKey(text) ?? key, 'plain').value,
    async examine(edits, choice = {}, options = {}) {
      await files.write(edits, ports)
      return runDoctor({ ...optionsFor(base, ports), token: site.token, key, trust, ...options }, choice)
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

/** What a doctor needs for a site on loopback. */
export function optionsFor(base: string, { plainPort }: Ports): DoctorOptions {
  const { protocol, host, pathname } = new URL(base)
  return {
    base: { scheme: protocol === 'https:' ? 'https' : 'http', host, path: pathname.replace(/\/$/, '') },
    names: { instead: new Map(['localhost', 'www.localhost'].map((name) => [name, ['127.0.0.1']])) },
    trust: [],
    plainPort,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
  }
}

/** The state and sentence of each row that isn't well, by its id. */
export const unwell = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(
    findings
      .filter(({ state }) => state === 'warning' || state === 'broken')
      .map(({ id, state, message }) => [id, `${state}: ${message}`]),
  )

function createFiles(front: Front) {
  const right = new Map<string, string>()
  const pathOf = (file: string) =>
    join(front.folder, 'files', /^postern(?:-http|-unknown-hosts)?\.conf$/.test(file) ? 'conf.d' : 'snippets', file)
  const rightOf = async (file: string) => {
    const text = right.get(file) ?? (await readFile(pathOf(file), 'utf8'))
    right.set(file, text)
    return text
  }
  let round = 0
  // Asked by plain http, since the certificate may be what is planted.
  const plain = front.address.startsWith('https:')
  const marked = ['postern-server.conf', ...(plain ? ['postern-redirect.conf'] : [])]
  return {
    async write(edits: readonly Edit[], { port, plainPort }: Ports): Promise<void> {
      const mark = `location = /round { return 200 "${++round}"; }\n`
      const changed = new Map<string, string>()
      for (const [file, from, to] of [...edits, ...marked.map((file) => [file, /^/, mark] as const)]) {
        const before = changed.get(file) ?? (await rightOf(file))
        const after = before.replace(from, to)
        if (after === before) throw new Error(`${file} has no ${String(from)}`)
        changed.set(file, after)
      }
      for (const [file, text] of right) await writeFile(pathOf(file), changed.get(file) ?? text)
      const master = (await readFile(join(front.folder, 'pid'), 'utf8')).trim()
      const before = await workersOf(master)
      process.kill(Number(master), 'SIGHUP')
      for (let tries = 0; tries < 400; tries++) {
        const isLeft = (await workersOf(master)).some((worker) => before.includes(worker))
        const answer = await front.raw('/round', { host: `localhost:${plain ? plainPort : port}`, plain }).catch(() => undefined)
        if (answer?.text === String(round) && !isLeft) return
        await sleep(25)
      }
      throw new Error(`nginx does not take the files: ${await readFile(join(front.folder, 'logs', 'error.log'), 'utf8')}`)
    },
  }
}

/** Workers that take connections; for a while those of the old files do so too. */
async function workersOf(master: string): Promise<readonly string[]> {
  const children = (await readFile(`/proc/${master}/task/${master}/children`, 'utf8')).trim().split(' ')
  const titles = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'gone')))
  return children.filter((_, index) => /worker process(?! is shutting down)/.test(titles[index] ?? ''))
}

/** A row's defect, put in its place, and what the doctor must say of it. */
export interface Plant {
  readonly id: string
  readonly planted: string
  readonly edits: readonly Edit[] | (() => readonly Edit[])
  readonly says: RegExp
  readonly fix: RegExp
  readonly options?: () => Partial<DoctorOptions> | Promise<Partial<DoctorOptions>>
  /** Stands for its group of rows in `npm test`. The other plants take part in deep runs only; test/doctor/rows.test.ts tries their rows. */
  readonly usual?: true
}

/** Declares a test for each plant that takes part in this run: its row alone is run, and must speak. */
export function testPlants(patient: () => Patient, plants: readonly Plant[]): void {
  for (const { id, planted, edits, says, fix, options } of plants.filter(({ usual }) => isDeep || usual)) {
    test(`doctor ${id}: ${planted}`, async () => {
      const findings = await patient().examine(typeof edits === 'function' ? edits() : edits, { only: [id] }, await options?.())
      const found = findings.find(({ state }) => state === 'warning' || state === 'broken')
      assert.match(found?.message ?? `Nothing was found: ${JSON.stringify(findings)}`, says)
      assert.match(found?.fix ?? '', fix)
    })
  }
}

/** A DNS server on loopback that knows these names, and of others that they are not there (RFC 1035). */
export async function openDns(records: Readonly<Record<string, { A?: readonly string[]; AAAA?: readonly string[] }>>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const labels: string[] = []
    for (let at = 12; query[at]; at += (query[at] ?? 0) + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
    const known = records[labels.join('.')]
    const isV6 = query.readUInt16BE(end - 4) === 28
    const found = (isV6 ? known?.AAAA : known?.A) ?? []
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, known ? 0x80 : 0x83, 0, 1, 0, found.length, 0, 0, 0, 0])
    const answers = found.map((text) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, isV6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, isV6 ? 16 : 4]), bytesOf(text)]),
    )
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** An IPv4 address, or an IPv6 one of eight written-out groups. */
function bytesOf(address: string): Buffer {
  return address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))
}
