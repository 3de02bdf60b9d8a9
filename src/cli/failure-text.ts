// A failure as the command line prints it for a person.

import type { Failure } from '../base/failure.ts'

/**
 * The message of a failure, the nearest names, and the hint, one per line. A hint that the message already contains is left out.
 */
export function failureText({ message, detail }: Failure): string {
  const { hint = '' } = detail
  const near = (detail.nearest ?? []).filter((name) => !message.includes(name) && !hint.includes(name))
  const lines = [
    message,
    ...(near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`]),
    // A hint is a command, or a sentence with advice.
    ...(message.includes(hint) ? [] : [hint.endsWith('.') ? hint : `Try: ${hint}`]),
  ]
  return `${lines.join('\n')}\n`
}
