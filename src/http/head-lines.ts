// The header lines of an answer in the form of Node's `writeHead`: names and values in turn. The lines of constant headers are
// cached.

import { headerValue } from './header-text.ts'
import type { Headers } from './reply.ts'

/**
 * Creates a function that makes header lines, in a new list that the caller may add to.
 * @param serverHeaders default headers of every answer
 */
export function createHeadLines(serverHeaders: Headers): (headers: Headers) => string[] {
  const fixed = linesOf(serverHeaders)
  const fixedNames = Object.keys(serverHeaders)
  // Frozen headers are constants of a door or of `reply.ts`, or belong to a cached page.
  const constant = new WeakMap<Headers, readonly string[]>()

  const makeLines = (headers: Headers): string[] => {
    for (const name of fixedNames) if (name in headers) return linesOf({ ...serverHeaders, ...headers })
    const lines = fixed.slice()
    addLines(lines, headers)
    return lines
  }

  return (headers) => {
    const known = constant.get(headers)
    if (known) return known.slice()
    const lines = makeLines(headers)
    if (Object.isFrozen(headers)) constant.set(headers, lines.slice())
    return lines
  }
}

function linesOf(headers: Headers): string[] {
  const lines: string[] = []
  addLines(lines, headers)
  return lines
}

function addLines(lines: string[], headers: Headers): void {
  for (const name in headers) {
    const value = headers[name]
    // The writer sets the length from the body. A length in the reply would be sent twice.
    if (value === undefined || name === 'content-length') continue
    if (typeof value === 'string') lines.push(name, headerValue(value))
    else for (const one of value) lines.push(name, headerValue(one))
  }
}
