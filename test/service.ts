// The service running: in this process, or as the process that `npm start` and systemd run.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '../src/app/serve.ts'
import { root } from './run-postern.ts'

export interface Running {
  readonly port: number
  /** What it has logged so far, a line each. */
  readonly log: readonly string[]
  /** What it told whoever started it. */
  readonly words: readonly string[]
  readonly process?: ChildProcess
  /** Ends the service. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

type Environment = Readonly<Record<string, string>>

/** Serves in this process until `stop`: all that the process would do, but for its signals. Settings are all that it gets of an environment. */
export async function serveHere(settings: Environment): Promise<Running> {
  const log: string[] = []
  const words: string[] = []
  let end = (): void => undefined
  const stopped = new Promise<void>((resolve) => (end = resolve))
  let ended: Promise<number> | undefined
  const port = await new Promise<number>((resolve, reject) => {
    const out = (text: string): void => {
      for (const line of text.trimEnd().split('\n')) {
        log.push(line)
        const told = portIn(line)
        if (told !== undefined) resolve(told)
      }
    }
    ended = serve({ ...settings }, { out, err: (text) => void words.push(text) }, stopped)
    ended.then((code) => reject(startFailure(code, words, log)), reject)
  })
  const stop: Running['stop'] = async (signal = 'SIGTERM') => {
    if (signal !== 'SIGTERM') throw new Error('Only a service in its own process can be killed.')
    end()
    return ended ?? null
  }
  return { port, log, words, stop }
}

/** Runs the built service. */
export async function spawnService(inherited: Environment, settings: Environment): Promise<Running> {
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'dist', 'main.js')], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const words: string[] = []
  child.stderr.on('data', (part: Buffer) => words.push(part.toString()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(startFailure(code, words, log)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.push(line)
      const told = portIn(line)
      if (told !== undefined) resolve(told)
    })
  })
  const stop: Running['stop'] = async (signal = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return child.exitCode
  }
  return { port, log, words, process: child, stop }
}

function portIn(line: string): number | undefined {
  return line.includes('"event":"listening"') ? (JSON.parse(line) as { port: number }).port : undefined
}

function startFailure(code: number | null, words: readonly string[], log: readonly string[]): Error {
  return new Error(`The service ended with ${code}: ${words.join('')}${log.join('\n')}`)
}
