// Prints lists: with tabs for programs, in columns below a header for a person at a terminal.

import type { Io } from './command.ts'

type Cell = string | number

interface Shown<T> {
  readonly json: boolean
  readonly header: readonly string[]
  readonly rowOf: (item: T) => readonly Cell[]
  /** The sentence for `err` if the list is empty. */
  readonly none: string
}

export function printList<T>(io: Io, items: readonly T[], { json, header, rowOf, none }: Shown<T>): void {
  if (json) io.out(`${JSON.stringify(items)}\n`)
  else printTable(io, header, items.map(rowOf))
  if (items.length === 0) io.err(`${none}\n`)
}

/** Prints a list, one row per line. Line breaks in cells are replaced, because they would end the row. */
export function printTable(io: Io, header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = rows.map((row) => row.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')))
  if (!io.outIsTerminal) return io.out(lines.map((line) => `${line.join('\t')}\n`).join(''))
  if (rows.length === 0) return
  const all = [header, ...lines]
  const widths = header.map((_, column) => Math.max(...all.map((line) => [...(line[column] ?? '')].length)))
  const shown = all.map((line) => line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)))
  io.out(shown.map((line) => `${line.join('  ').trimEnd()}\n`).join(''))
}
