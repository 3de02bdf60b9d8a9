// The primary process of several: it starts the others, restarts one that dies, and stops them. It opens no site and answers no
// request.

import { fileURLToPath } from 'node:url'
import { readConfig } from '../base/config.ts'
import { createLog } from '../base/log.ts'
import { createWorkers } from '../processes/workers.ts'
import { ignoreStopSignals, stopSignal } from './stop-signal.ts'
import type { Streams } from './streams.ts'
import { createNotifier, levelMark, startFailure, type Supervised, takeSupervised } from './systemd.ts'
import { workerFile } from '../base/worker-file.ts'

/** The time that a process may take to stop, in addition to that of its open requests. */
const stopMarginMs = 20_000

/**
 * Runs the primary process: starts `POSTERN_PROCESSES` processes, stops them after SIGTERM or SIGINT, and ends after the last of
 * them.
 * @returns the exit code: 0 after a requested stop, 1 if the start failed
 */
export async function servePrimary(env: Record<string, string | undefined>, streams: Streams): Promise<number> {
  const stopped = stopSignal()
  ignoreStopSignals()
  let supervised: Supervised | undefined
  try {
    supervised = takeSupervised(env)
    const config = readConfig(env)
    const { journal, socketFd, watchdogMs } = supervised
    const sink = (line: string, level: 'debug' | 'info' | 'warn' | 'error') =>
      streams.out(`${levelMark({ journal }, level)}${line}\n`)
    const log = createLog(config.POSTERN_LOG_LEVEL, sink, undefined, 'primary')
    const workers = createWorkers({
      count: config.POSTERN_PROCESSES,
      file: fileURLToPath(workerFile('main.js', import.meta.url)),
      env,
      socketFd,
      stopMs: config.POSTERN_STOP_SECONDS * 1000 + stopMarginMs,
      log,
    })
    const notifier = createNotifier(supervised, log)
    const failed = await Promise.race([workers.start(), stopped])
    if (typeof failed === 'number') return failed
    await notifier.ready(`Serving with ${config.POSTERN_PROCESSES} processes.`)
    notifier.startWatchdog(() => workers.look((watchdogMs ?? 0) / 4))
    await stopped
    notifier.stopWatchdog()
    const [, ended] = await Promise.all([notifier.stopping(), workers.stop()])
    return ended ? 0 : 1
  } catch (error) {
    streams.err(startFailure(error, supervised))
    return 1
  }
}
