// What costs a plugin its process: the reason, in a word for the code and in a sentence for people.

/**
 * `load`: it could not be loaded or activated; `threw`: something other than a `postern.Failure`; `timeout`: it didn't answer in time;
 * `memory`: it took too much; `exit`: it ended by itself; `flood`: too many messages; `protocol`: one that no plugin sends.
 */
export type FatalReason = 'threw' | 'timeout' | 'memory' | 'exit' | 'flood' | 'protocol' | 'load'

/** Why a plugin's process is no more. The message is a sentence without paths of the server. */
export class PluginFatal extends Error {
  readonly reason: FatalReason
  /** What it printed before: while it was loaded, or in the run that this rejects. */
  readonly printed: string
  /** Where in its own files it was, a line a frame; where Node itself gave up, what it said. Often empty. */
  readonly trace: string
  /** Other runs went down with the one that this rejects: it may be their doing. */
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
