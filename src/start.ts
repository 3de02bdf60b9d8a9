// Starts the service as one process, or as a small primary process that keeps several. Each of the two programs is loaded only where it runs.

import type { Streams } from './streams.ts'
import { keepSmall } from './young-generation.ts'

type Environment = Record<string, string | undefined>

/** The whole life of `npm start` and `postern serve`. @returns the exit code */
export async function start(env: Environment, streams: Streams): Promise<number> {
  keepSmall()
  if (isPrimary(env)) return (await import('./primary.ts')).servePrimary(env, streams)
  return (await import('./serve.ts')).serve(env, streams)
}

/** A process with an instance number is one of several. It was started by a primary process, or by systemd. */
function isPrimary({ POSTERN_PROCESSES: processes, POSTERN_INSTANCE: instance }: Environment): boolean {
  return Number(processes) > 1 && (instance ?? '') === ''
}
