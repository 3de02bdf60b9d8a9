// `postern.Failure`: plugins throw it to refuse a call, and get it when the site refuses one.

import type { ToldFailure } from './channel.ts'

interface Detail {
  readonly field?: string
  readonly expected?: unknown
  readonly hint?: string
}

/** A failure with a code. `failureClass` checks the codes of those that a plugin creates. */
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

/** The class for plugins. Its constructor throws a TypeError for any other code. */
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

/** Makes a failure from a message of the site. It may have any code. */
export function heardFailure({ code, message, ...detail }: ToldFailure): PluginFailure {
  return new PluginFailure(code, message, detail)
}
