// Stops and starts the service or one of its processes, and checks if it is ready: through systemd on the machine itself, through
// the operator's command elsewhere.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { askHere, type HereAddress } from '../outbound/ask-here.ts'
import { paths, type Places } from './places.ts'
import { demandTool, runTool } from './run-tool.ts'
import { readServiceEnv } from './settings-file.ts'
import { instanceUnit } from './units.ts'
import { trimEndOf } from '../base/trim-text.ts'

/** The operations on a service. The socket stays open during a restart, so that callers wait. */
export type ServiceVerb = 'restart' | 'stop' | 'start'

export interface InstalledService {
  /**
   * The command line that `run` runs; undefined if there is no way to control the service.
   * @param instance the number of one process of several; by default the whole service
   */
  command(verb: ServiceVerb, instance?: number): string | undefined
  /** Resolves after the operation. After the restart of one process, that process is ready. @throws Failure `failed` */
  run(verb: ServiceVerb, instance?: number): Promise<void>
  /** Waits until `/readyz` answers 200. @throws Failure `unavailable` after the time limit */
  waitReady(): Promise<void>
}

export interface ServiceOptions {
  readonly places: Places
  /**
   * A command for the shell to run instead of systemctl, with the verb as its argument, followed by the number of a process if
   * only one is meant.
   */
  readonly restartCommand: string | undefined
  readonly readyUrl: string | undefined
  readonly readySeconds: number
}

const resetFailed = ['systemctl', 'reset-failed', 'postern.socket', 'postern.service'] as const
const startSocket = ['systemctl', 'start', 'postern.socket'] as const
const askMs = 2000
const againMs = 100

/**
 * Only the last command of each list must succeed. A stop also closes the socket, because the next caller would start the service
 * again through it.
 */
const systemd: Readonly<Record<ServiceVerb, readonly (readonly string[])[]>> = {
  // After five failed starts, systemd starts neither unit until its failed state is reset.
  restart: [resetFailed, startSocket, ['systemctl', 'restart', 'postern.service']],
  stop: [['systemctl', 'stop', 'postern.socket', 'postern.service']],
  start: [resetFailed, ['systemctl', 'start', 'postern.socket', 'postern.service']],
}

/** systemctl returns when the process has reported that it is ready, and fails if it does not. The socket doesn't change. */
const systemdInstance = (verb: ServiceVerb, instance: number): readonly (readonly string[])[] => [
  ...(verb === 'stop' ? [] : [startSocket]),
  ['systemctl', verb, instanceUnit(instance)],
]

/** The service on the machine. Below a root, the service that the restart command controls. */
export function serviceOf({ places, restartCommand, readyUrl, readySeconds }: ServiceOptions): InstalledService {
  const commands = (verb: ServiceVerb, instance?: number): readonly (readonly string[])[] => {
    const words = [verb, ...(instance === undefined ? [] : [String(instance)])]
    if (restartCommand !== undefined) return [['sh', '-c', `${restartCommand} "$@"`, 'sh', ...words]]
    if (places.root !== '') return []
    return instance === undefined ? systemd[verb] : systemdInstance(verb, instance)
  }
  return {
    command: (verb, instance) =>
      restartCommand === undefined
        ? commands(verb, instance).at(-1)?.join(' ')
        : [restartCommand, verb, ...(instance === undefined ? [] : [instance])].join(' '),
    async run(verb, instance) {
      const last = commands(verb, instance).at(-1)
      if (last === undefined) return
      for (const words of commands(verb, instance).slice(0, -1)) await runTool(words)
      await demandTool(last)
    },
    async waitReady() {
      if (commands('start').length === 0) return
      const address = readyUrl === undefined ? await readyAddress(places) : { url: readyUrl }
      const deadline = performance.now() + readySeconds * 1000
      let status: number | undefined
      do {
        status = await askHere(address, Math.min(askMs, readySeconds * 1000))
        if (status === 200) return
        await sleep(againMs)
      } while (performance.now() < deadline)
      const found = status === undefined ? 'nobody answered' : `the last answer was ${status}`
      const hint = "journalctl -u 'postern*'"
      const where = `${address.url}${address.socketPath === undefined ? '' : ` by ${address.socketPath}`}`
      throw new Failure('unavailable', `The service is not ready after ${readySeconds} seconds: ${where}, ${found}.`, { hint })
    },
  }
}

/** The address of `/readyz`: the socket's address, with the base path. */
async function readyAddress(places: Places): Promise<HereAddress> {
  const env = await readServiceEnv(places)
  const base = env['POSTERN_BASE_URL'] ?? ''
  const basePath = URL.canParse(base) ? new URL(base).pathname : (env['POSTERN_BASE_PATH'] ?? '')
  const stream = await listenStream(places)
  const socketPath = stream.startsWith('/') ? stream : undefined
  return {
    url: `http://${socketPath === undefined ? hostOf(stream) : 'localhost'}${trimEndOf(basePath, '/')}/readyz`,
    socketPath,
  }
}

/** The address of the socket as systemd knows it. The operator may have changed it in a drop-in. */
async function listenStream(places: Places): Promise<string> {
  if (places.root === '') {
    const { out } = await runTool(['systemctl', 'show', '--property=Listen', '--value', 'postern.socket'])
    const [, found] = /^(\S+) \(Stream\)/m.exec(out) ?? []
    if (found !== undefined) return found
  }
  const unit = (await unlessMissing(readFile(places.at(join(paths.units, 'postern.socket')), 'utf8'))) ?? ''
  return /^ListenStream=(\S+)$/m.exec(unit)?.[1] ?? '127.0.0.1:8080'
}

/** Host and port of a `ListenStream=`. A port alone and the addresses that mean all interfaces become 127.0.0.1. */
export function hostOf(stream: string): string {
  const [, address = '', port = stream] = /^(.*):(\d+)$/.exec(stream) ?? []
  return `${['', '0.0.0.0', '[::]'].includes(address) ? '127.0.0.1' : address}:${port}`
}
