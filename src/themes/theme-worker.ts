// The thread that renders themes. It keeps the parsed templates of the last few themes, and `theme-renderer.ts` may end it at any moment.

import { parentPort } from 'node:worker_threads'
import { createEngine, type ThemeEngine } from './engine.ts'
import type { ThemeJob, JobAnswer } from './theme-jobs.ts'
import type { FromWorker } from '../worker-queue.ts'

const port = parentPort
if (port === null) throw new Error('theme-worker.js is a worker of Postern; it does nothing on its own.')

/** The active theme, and a few that are previewed or checked. */
const maxEngines = 4
const engines = new Map<string, ThemeEngine>()

function engineOf({ version, source }: ThemeJob): ThemeEngine | undefined {
  const known = engines.get(version)
  if (known) {
    engines.delete(version)
    engines.set(version, known)
    return known
  }
  if (!source) return undefined
  const engine = createEngine(source)
  engines.set(version, engine)
  for (const oldest of engines.keys()) {
    if (engines.size <= maxEngines) break
    engines.delete(oldest)
  }
  return engine
}

function answerOf(job: ThemeJob): JobAnswer {
  const engine = engineOf(job)
  if (!engine) return { unknown: true }
  if (engine.problems.length > 0) return { problems: engine.problems }
  return engine.render(job)
}

const tell = (message: FromWorker<JobAnswer>): void => port.postMessage(message)

port.on('message', (job: ThemeJob) => {
  try {
    tell({ kind: 'done', answer: answerOf(job) })
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
tell({ kind: 'ready' })
