// Runs a program to its end and returns its output and exit code. The caller decides what the exit code means.

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Failure } from '../base/failure.ts'

export interface ToolOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** The user to run as; by default the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** The time after which the program is killed. The default is no limit. */
  readonly timeoutMs?: number
}

export interface ToolAnswer {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program. @throws Failure `unavailable` if the program can't be started */
export async function runTool([program = '', ...args]: readonly string[], options: ToolOptions = {}): Promise<ToolAnswer> {
  const { cwd, env, owner, timeoutMs } = options
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(cwd === undefined ? {} : { cwd }),
    ...(env ? { env } : {}),
    ...(owner ? { uid: owner.uid, gid: owner.gid } : {}),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new Failure('unavailable', `${program} can't be run: ${cause.message}`, {}, { cause })))
    child.once('close', resolve)
  })
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

/** Runs a program that must succeed. @returns its output @throws Failure `failed`, with the program's last lines */
export async function demandTool(words: readonly string[]): Promise<string> {
  const { code, out, err } = await runTool(words)
  if (code === 0) return out
  const said = (err.trim() || out.trim()).split('\n').slice(-4).join(' ')
  throw new Failure('failed', `${words.join(' ')} ended with ${code ?? 'a signal'}${said === '' ? '' : `: ${said}`}`)
}
