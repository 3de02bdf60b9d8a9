// Files in memory for readers of imports, and the parts that a reader yields.

import type { ImportFormat, ReadOptions } from '../../src/imports/import-format.ts'
import type { SourceFiles } from '../../src/imports/source-files.ts'
import type { ImportPart } from '../../src/imports/stream.ts'

/** @param pieceBytes the size of the parts in which a file is read; odd ones divide characters and tags */
export function sourceOf(files: Readonly<Record<string, string | Buffer>>, pieceBytes = 65_536): SourceFiles {
  const bytes = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string)]))
  return {
    name: 'files',
    sizes: new Map([...bytes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, { length }]) => [path, length])),
    leftOut: [],
    async *open(path) {
      await Promise.resolve()
      const content = bytes.get(path)
      if (!content) throw new Error(path)
      for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes)
    },
    close: () => Promise.resolve(),
  }
}

export async function partsOf(
  format: ImportFormat,
  files: SourceFiles,
  options: Partial<ReadOptions> = {},
): Promise<ImportPart[]> {
  const parts: ImportPart[] = []
  for await (const part of format.read(files, { signal: new AbortController().signal, ...options })) parts.push(part)
  return parts
}

export const partsOfKind = <K extends ImportPart['kind']>(
  parts: readonly ImportPart[],
  kind: K,
): readonly Extract<ImportPart, { kind: K }>[] =>
  parts.filter((part): part is Extract<ImportPart, { kind: K }> => part.kind === kind)
