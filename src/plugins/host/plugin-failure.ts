// `postern.Failure`: how a plugin says no in so many words, and how it is told no.

import type { ToldFailure } from './channel.ts'

interface Detail {
  readonly field?: string
  readonly expected?: unknown
  readonly hint?: string
}

/** A refusal with a code; those that a plugin may use are checked where it makes one. */
export class PluginFailure extends Error {
  readonly code: string
  readonly detail: Detail

  constructor(code: string, message: string, detail: Detail = {}) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.detail = detail
  }
}

/** The class for plugins: other codes than these are a mistake of theirs. */
export function failureClass(codes: readonly string[]): typeof PluginFailure {
  return class extends PluginFailure {
    constructor(code: string, message: string, detail: Detail = {}) {
      if (!codes.includes(code))
        throw new TypeError(`A plugin's failure has one of the codes ${codes.join(', ')}; not ${JSON.stringify(code)}.`)
      super(code, message, detail)
    }
  }
}

export function tellFailure({ code, message, detail }: PluginFailure): ToldFailure {
  return { ...detail, code, message }
}

/** One that the site sent, with whatever code it has. */
export function heardFailure({ code, message, ...detail }: ToldFailure): PluginFailure {
  return new PluginFailure(code, message, detail)
}
