// The reason why a plugin's process ended: a code and a sentence for people.

/**
 * - `load`: the plugin could not be loaded or activated
 * - `threw`: it threw something other than a `postern.Failure`
 * - `timeout`: it didn't answer in time
 * - `memory`: it used too much memory
 * - `exit`: its process exited
 * - `flood`: it sent too many messages
 * - `protocol`: it sent an invalid message
 */
export type FatalReason = 'threw' | 'timeout' | 'memory' | 'exit' | 'flood' | 'protocol' | 'load'

/** The end of a plugin's process. The message is a sentence, and contains no paths of the server. */
export class PluginFatal extends Error {
  readonly reason: FatalReason
  /** The earlier output of the plugin: while it was loaded, or in the run that this error rejects. */
  readonly printed: string
  /** The stack in the plugin's own files, one frame per line. If Node itself crashed, its output. Often empty. */
  readonly trace: string
  /** True if other runs failed together with the run that this error rejects. One of those may be the cause. */
  readonly shared: boolean

  constructor(reason: FatalReason, message: string, printed = '', trace = '', shared = false) {
    super(message)
    this.name = 'PluginFatal'
    this.reason = reason
    this.printed = printed
    this.trace = trace
    this.shared = shared
  }
}
