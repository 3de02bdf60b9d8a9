// Checks the machine: file system, limits, time zone, clock, restarts, and the time-out of idle connections.

import { execFile } from 'node:child_process'
import { readFile, statfs } from 'node:fs/promises'
import { cpus } from 'node:os'
import { broken, ok, unknown, type Verdict, warning } from '../../doctor/finding.ts'
import type { Check } from './health-check.ts'

/** File systems over a network or another program, whose locks are not reliable, by the magic numbers of statfs(2). */
const unsafeFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
])

/**
 * Describes the fault of a file system of this type; undefined for a local disk. The sign of the number differs between machines.
 */
export function fileSystemFault(type: number, home: string): Verdict | undefined {
  const name = unsafeFileSystems.get(type >>> 0)
  if (name === undefined) return undefined
  return broken(
    `The home ${home} is on ${name}, which does not lock files reliably. The database will be damaged.`,
    `Move ${home} to a local disk`,
  )
}

export const fileSystemCheck: Check = {
  id: 'file-system',
  run: async ({ config: { POSTERN_HOME: home } }) =>
    fileSystemFault((await statfs(home)).type, home) ?? ok('The home is on a local disk.'),
}

const leastFiles = 4096

/** The limits of this process that the check needs. */
export interface ProcessLimit {
  readonly files: number
  readonly cpus: number
  /** `v20.19.0` */
  readonly node: string
}

/** Describes the fault of these limits; undefined if there is none. */
export function limitsFault({ files, cpus, node }: ProcessLimit): Verdict | undefined {
  const [major = 0, minor = 0] = node.slice(1).split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    const message = `Node is ${node}; Postern needs 20.19 or newer.`
    return broken(message, 'Install Node 24: https://nodejs.org/en/download')
  }
  if (files < leastFiles) {
    const message = `A process may have ${files} files open at once; a busy site needs ${leastFiles}.`
    return warning(message, 'LimitNOFILE=65536   in the [Service] section of postern.service')
  }
  if (cpus > 0) return undefined
  const message = "The service can't see the processors of the machine, so it can't size its pools by their number."
  return warning(message, 'Remove ProcSubset=pid from postern.service')
}

export const limitsCheck: Check = {
  id: 'limits',
  async run() {
    const text = await readFile('/proc/self/limits', 'utf8').catch(() => '')
    const files = Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Infinity)
    return limitsFault({ files, cpus: cpus().length, node: process.version }) ?? ok('Node and its limits are as they should be.')
  },
}

export const timeZoneCheck: Check = {
  id: 'time-zone',
  async run({ release }) {
    const aheadMinutes = -new Date().getTimezoneOffset()
    if (release.codeExpiry === 'utc' || aheadMinutes <= 0) return ok('The time zone of the machine does not matter.')
    return broken(
      `The machine is ${aheadMinutes} minutes ahead of UTC. With release ${release.name} every sign-in code then expires at once, and no app can connect.`,
      'Environment=TZ=UTC   in postern.service   (better: unset POSTERN_COMPAT)',
    )
  },
}

/** nginx closes idle connections to the service after 60 s, and must be the side that closes them first. */
const proxyIdleSeconds = 60

export const keepAliveCheck: Check = {
  id: 'keep-alive',
  async run({ config: { POSTERN_KEEP_ALIVE_SECONDS: seconds } }) {
    if (seconds > proxyIdleSeconds) return ok('The service keeps idle connections longer than a web server in front does.')
    const message = `The service closes idle connections after ${seconds} s, but nginx reuses them for ${proxyIdleSeconds} s, so some calls end in 502.`
    return warning(
      message,
      'Unset POSTERN_KEEP_ALIVE_SECONDS   (or set a lower keepalive_timeout in "upstream postern" of nginx)',
    )
  },
}

export const timeSourceCheck: Check = {
  id: 'time-source',
  async run() {
    const said = await ask('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
    if (said === undefined)
      return unknown('It is unknown whether the clock is synchronised over the network: timedatectl gives no answer.')
    if (said === 'yes') return ok('The clock is synchronised over the network.')
    const message =
      'The clock is not synchronised over the network. If it is wrong, sign-in codes, which are valid for 60 s, expire early.'
    return warning(message, 'sudo timedatectl set-ntp true')
  },
}

const manyRestarts = 3

export const restartsCheck: Check = {
  id: 'restarts',
  async run() {
    const said = await ask('systemctl', ['show', 'postern.service', 'postern@*.service', '--property=Id,NRestarts,Result'])
    const units = (said ?? '').split(/\n\n+/).map((block) => Object.fromEntries(block.split('\n').map((line) => line.split('='))))
    const bad = units.find(({ NRestarts }) => Number(NRestarts) >= manyRestarts)
    if (!bad) return ok('The service has not crashed repeatedly.')
    const { Id: unit = 'postern.service', NRestarts: restarts, Result: result } = bad
    const why = result === 'watchdog' ? 'it hangs, and the watchdog ends it' : 'it crashes, or runs out of memory'
    const message = `systemd has restarted ${unit} ${restarts} times since it was started: ${why}.`
    return warning(message, `journalctl -u ${unit} --priority=err --since=-1d`)
  },
}

/** Returns the output of a program of the machine; undefined if it is missing or fails. */
function ask(program: string, words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...words], { timeout: 3000 }, (error, stdout) => resolve(error ? undefined : stdout.trim()))
  })
}
