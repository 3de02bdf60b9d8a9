// Renders pages with themes in a separate thread, one page after the other, each within a time limit and a memory limit. A theme
// that takes too long fails for its page and doesn't stop the site (attack 103). The caller decides what a page shows.

import { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import { workerFile } from '../../base/worker-file.ts'
import { createWorkerQueue, openThread } from '../../base/worker-queue.ts'
import type { ThemeData } from '../contract.ts'
import type { ThemeJob, JobAnswer, ThemeProblem, ThemeSource } from './theme-jobs.ts'

export interface ThemeRendererOptions {
  readonly log: Log
  /** The time limit for one page. The engine's own limit is shorter, but doesn't stop everything. */
  readonly timeoutMs?: number
  readonly maxOldSpaceMb?: number
  readonly idleMs?: number
  readonly maxWaiting?: number
}

/** A page, or the problems of the theme. */
export type ThemeResult = { readonly html: string } | { readonly problems: readonly ThemeProblem[] }

export interface ThemeRenderer {
  /** The number of waiting pages, without the one that is being rendered. */
  readonly waiting: number
  /**
   * @param template without its extension, such as `page`.
   * @throws Failure `unavailable` when too many pages wait; `failed` when the thread crashes
   */
  render(source: ThemeSource, template: string, data: ThemeData): Promise<ThemeResult>
  close(): Promise<void>
}

/** Creates a renderer. Its thread starts with the first page. */
export function createThemeRenderer({ log, maxOldSpaceMb = 96, ...limits }: ThemeRendererOptions): ThemeRenderer {
  const queue = createWorkerQueue<ThemeJob, JobAnswer>({
    timeoutMs: 2000,
    idleMs: 5 * 60_000,
    maxWaiting: 200,
    ...limits,
    log,
    open: openThread(() => workerFile('themes/theme-worker.js', import.meta.url), maxOldSpaceMb),
    words: { thread: 'the theme renderer', job: 'a page', verb: 'render' },
    facts: ({ template }) => ({ template }),
    failures: {
      full: () =>
        new Failure('unavailable', 'Too many pages are waiting to be rendered. Try again in a moment.', { retry_after: 2 }),
      tooMuch: (what, { template }) => new ThemeTooSlow(what, `${template}.liquid`),
      broken: (cause) => new Failure('failed', 'The theme could not be rendered.', {}, cause === undefined ? {} : { cause }),
    },
  })
  return {
    get waiting() {
      return queue.waiting
    },
    async render(source, template, data) {
      const { version } = source
      try {
        const first = await queue.put({ version, template, data })
        const answer = 'unknown' in first ? await queue.put({ version, source, template, data }) : first
        if ('unknown' in answer) throw new Error('The theme renderer does not take a theme.')
        return answer
      } catch (error) {
        if (error instanceof ThemeTooSlow) return { problems: [error.problem] }
        throw error
      }
    },
    close: () => queue.close(),
  }
}

/** The failure of a page that was stopped at its time limit. */
class ThemeTooSlow extends Failure {
  readonly problem: ThemeProblem

  constructor(what: string, file: string) {
    super('unprocessable', `The theme ${what}.`)
    this.problem = { file, line: null, message: `the template ${what}` }
  }
}
