// The command line, run to its end. It runs in the process of the test, as a process takes half a second to start: all that
// `scripts/postern` does once it has found the packages and the build. A deep run starts the process.

import { Readable } from 'node:stream'
import { runCommand } from '../src/cli/run.ts'
import { isDeep } from './deep-run.ts'
import { runPostern } from './run-postern.ts'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command with these settings and this input. */
export async function postern(env: Readonly<Record<string, string>>, args: readonly string[], input = ''): Promise<Ended> {
  if (isDeep) return runPostern(env, args, input)
  const said = { stdout: '', stderr: '' }
  const code = await runCommand(args, {
    env: { ...env },
    stdin: Readable.from([Buffer.from(input)]),
    out: (text) => void (said.stdout += text),
    err: (text) => void (said.stderr += text),
  })
  return { code, ...said }
}
