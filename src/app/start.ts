// Starts the service as one process, or as a small primary process that supervises several. Each process loads only its own
// program.

import type { Streams } from './streams.ts'
import { keepSmall } from './young-generation.ts'

type Environment = Record<string, string | undefined>

/** Runs the service until it stops, for `npm start` and `postern serve`. @returns the exit code */
export async function start(env: Environment, streams: Streams): Promise<number> {
  keepSmall()
  if (isPrimary(env)) return (await import('./primary.ts')).servePrimary(env, streams)
  return (await import('./serve.ts')).serve(env, streams)
}

/**
 * True if this is the primary process. A process with an instance number is one of several; a primary process or systemd started
 * it.
 */
function isPrimary({ POSTERN_PROCESSES: processes, POSTERN_INSTANCE: instance }: Environment): boolean {
  return Number(processes) > 1 && (instance ?? '') === ''
}
