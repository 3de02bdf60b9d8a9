// The files that are imported, wherever they lie: one file, a folder, or an archive.

/** The files of an import. Reading is by path and in any order, so that a reader may look at a file twice. */
export interface SourceFiles {
  /** Names the import in the report: the name of the file or folder. */
  readonly name: string
  /** The bytes of each file by its path, with slashes and without one at the start, in the order of the paths. */
  readonly sizes: ReadonlyMap<string, number>
  /** Reads a file in parts. @throws Error for a path that is not in `sizes` */
  open(path: string): AsyncIterable<Uint8Array>
  /** The files that were left out, such as links that leave the folder, with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[]
  close(): Promise<void>
}
