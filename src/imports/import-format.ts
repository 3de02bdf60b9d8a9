// A format that can be imported.

import type { SourceFiles } from './source-files.ts'
import type { ImportPart } from './stream.ts'

export interface ImportFormat {
  /** `wxr`, `ghost`, `markdown`, `csv`, `rss` or `postern`. */
  readonly name: string
  /** True for an export of Postern itself, which calls take back. It has no parts to read. */
  readonly isOwn?: true
  /** The parts of an entry to which columns of a table can be mapped. */
  readonly parts?: readonly string[]
  /** True for files of this format. It looks at names and at the first bytes of files. */
  recognises(files: SourceFiles): Promise<boolean>
  /**
   * Reads the files from the beginning. Two readings of the same files yield the same parts in the same order, so that a run that
   * was interrupted can pass over what it has done.
   * @throws Failure `unprocessable` for files that can't be read at all; a file that ends early yields what it has and a loss
   */
  read(files: SourceFiles, options: ReadOptions): AsyncIterable<ImportPart>
}

export interface ReadOptions {
  readonly signal: AbortSignal
  /** The address of the old site, where the files don't tell it. */
  readonly url?: string | undefined
  /** The type of the rows of a table (`csv` alone). */
  readonly type?: string | undefined
  /** The part or field for each column of a table (`csv` alone). */
  readonly map?: Readonly<Record<string, string>> | undefined
}
