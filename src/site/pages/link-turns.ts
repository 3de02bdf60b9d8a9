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
  const others = making.get(link) ?? 0
  if (others >= maxAtOnce) throw new HttpFailure('unavailable', busy, { 'retry-after': '2' })
  making.set(link, others + 1)
  try {
    return await make()
  } finally {
    const left = (making.get(link) ?? 1) - 1
    if (left > 0) making.set(link, left)
    else making.delete(link)
  }
}
