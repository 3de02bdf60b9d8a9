// The thread that renders themes. It caches the last few themes' templates, and `theme-renderer.ts` may terminate it at any moment.

import { createEngine, type ThemeEngine } from './engine.ts'
import type { ThemeJob, JobAnswer } from './theme-jobs.ts'
import { answerJobs } from '../../base/worker-queue.ts'

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

answerJobs(answerOf)
