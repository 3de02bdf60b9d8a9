// What the form that led to a page has done, as the address says with `done`.

import type { Visit } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** The sentence for `done` in the address; undefined where a page has none for it. */
export function saidDone({ request, t }: Visit, keys: Readonly<Record<string, MessageKey>>): string | undefined {
  const key = new Map(Object.entries(keys)).get(request.query.get('done') ?? '')
  return key === undefined ? undefined : t(key)
}

/** The query of the page that shows a job, or says at once what was done where the work took no job. */
export const jobOrDone = (job: string | undefined, done: string): string =>
  new URLSearchParams(job === undefined ? { done } : { job }).toString()
