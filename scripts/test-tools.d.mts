/** A program that tests need in addition to Node: its name on the command line, and its name for people. */
export interface TestTool {
  readonly program: string
  readonly name: string
  /** The package of Debian that contains it. */
  readonly package: string
}

/** The programs that are not on this machine. */
export function missingTools(): readonly TestTool[]
