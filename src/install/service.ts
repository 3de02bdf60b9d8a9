// The service as it is stopped, started and asked whether it serves: by systemd on the machine itself, by an operator's command elsewhere.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { askHere, type HereAddress } from '../outbound/ask-here.ts'
import { paths, type Places } from './places.ts'
import { demandTool, runTool } from './run-tool.ts'
import { readServiceEnv } from './settings-file.ts'
import type { Step } from './step.ts'
import { trimEndOf } from '../trim-text.ts'

/** What is done to a service; the socket stays open all the while, so that callers wait. */
export type ServiceVerb = 'restart' | 'stop' | 'start'

export interface Service {
  /** What would be run; undefined where there is nobody to run it. */
  command(verb: ServiceVerb): string | undefined
  /** Ends when it is done: after a restart the process that answers is a new one. @throws Failure `failed` */
  run(verb: ServiceVerb): Promise<void>
  /** Waits until it serves. @throws Failure `unavailable` when it doesn't in time */
  waitReady(): Promise<void>
}

export interface ServiceOptions {
  readonly places: Places
  /** Run by the shell with the verb as its one argument, instead of systemd. */
  readonly restartCommand: string | undefined
  readonly readyUrl: string | undefined
  readonly readySeconds: number
}

const resetFailed = ['systemctl', 'reset-failed', 'postern.socket', 'postern.service'] as const
const askMs = 2000
const againMs = 100

/** The last of each decides. With the socket open a stopped service would be started by its next caller. */
const systemd: Readonly<Record<ServiceVerb, readonly (readonly string[])[]>> = {
  // A release that failed to start five times over has left both in a state in which nothing starts.
  restart: [resetFailed, ['systemctl', 'start', 'postern.socket'], ['systemctl', 'restart', 'postern.service']],
  stop: [['systemctl', 'stop', 'postern.socket', 'postern.service']],
  start: [resetFailed, ['systemctl', 'start', 'postern.socket', 'postern.service']],
}

/** The service of these places: systemd's, or below a root whatever the command restarts. */
export function serviceOf({ places, restartCommand, readyUrl, readySeconds }: ServiceOptions): Service {
  const commands = (verb: ServiceVerb): readonly (readonly string[])[] => {
    if (restartCommand !== undefined) return [['sh', '-c', `${restartCommand} "$1"`, 'sh', verb]]
    return places.root === '' ? systemd[verb] : []
  }
  return {
    command: (verb) => (restartCommand === undefined ? commands(verb).at(-1)?.join(' ') : `${restartCommand} ${verb}`),
    async run(verb) {
      const last = commands(verb).at(-1)
      if (last === undefined) return
      for (const words of commands(verb).slice(0, -1)) await runTool(words)
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
      const hint = 'journalctl -u postern'
      const where = `${address.url}${address.socketPath === undefined ? '' : ` by ${address.socketPath}`}`
      throw new Failure('unavailable', `The service is not ready after ${readySeconds} seconds: ${where}, ${found}.`, { hint })
    },
  }
}

/** Where the service says whether it is ready: on the address of its socket, below its own slug. */
async function readyAddress(places: Places): Promise<HereAddress> {
  const env = await readServiceEnv(places)
  const base = env['POSTERN_BASE_URL'] ?? ''
  const slug = URL.canParse(base) ? new URL(base).pathname : (env['POSTERN_BASE_PATH'] ?? '')
  const stream = await listenStream(places)
  const socketPath = stream.startsWith('/') ? stream : undefined
  return {
    url: `http://${socketPath === undefined ? hostOf(stream) : 'localhost'}${trimEndOf(slug, '/')}/readyz`,
    socketPath,
  }
}

/** As it is in force, which an operator may have changed beside the unit's own file. */
async function listenStream(places: Places): Promise<string> {
  if (places.root === '') {
    const { out } = await runTool(['systemctl', 'show', '--property=Listen', '--value', 'postern.socket'])
    const [, found] = /^(\S+) \(Stream\)/m.exec(out) ?? []
    if (found !== undefined) return found
  }
  const unit = (await unlessMissing(readFile(places.at(join(paths.units, 'postern.socket')), 'utf8'))) ?? ''
  return /^ListenStream=(\S+)$/m.exec(unit)?.[1] ?? '127.0.0.1:8080'
}

/** The step that restarts it, or leaves that to whoever runs it where no command is known. */
export function restartStep(service: Service): Step {
  const restart = service.command('restart')
  return {
    what: restart === undefined ? 'Leaves the restart to you' : `Restarts the service: ${restart}`,
    run: () => service.run('restart'),
  }
}

/** A port alone, and any address, are this machine's own too. */
export function hostOf(stream: string): string {
  const [, address = '', port = stream] = /^(.*):(\d+)$/.exec(stream) ?? []
  return `${['', '0.0.0.0', '[::]'].includes(address) ? '127.0.0.1' : address}:${port}`
}
