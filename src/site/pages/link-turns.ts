// Limits how many pages of one preview link are rendered at once, so that a slow theme delays only the people with that link. The
// same holds for the forms of one network address, so that a program delays nobody else.

import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'

/** The number of pages in progress, by link or address. */
const making = new Map<string, number>()
/** A browser requests one page at a time. More requests would only wait for a slow theme. */
const maxAtOnce = 4

/**
 * Makes a page of a link.
 * @param busy the sentence for a link with too many pages
 * @throws HttpFailure `unavailable` when too many pages of this link are being made
 */
export async function inTurn(
  link: string,
  make: () => Promise<Reply>,
  busy = 'This preview is busy. Try again in a moment.',
): Promise<Reply> {
  return counted(making, link, (others) => {
    if (others >= maxAtOnce) throw new HttpFailure('unavailable', busy, { 'retry-after': '2' })
    return make()
  })
}

/** Counts a name while something runs. @param run gets how often the name was counted before */
export async function counted<T>(counts: Map<string, number>, name: string, run: (others: number) => Promise<T>): Promise<T> {
  const others = counts.get(name) ?? 0
  counts.set(name, others + 1)
  try {
    return await run(others)
  } finally {
    const left = (counts.get(name) ?? 1) - 1
    if (left > 0) counts.set(name, left)
    else counts.delete(name)
  }
}
