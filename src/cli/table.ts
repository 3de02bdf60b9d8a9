// How lists are printed: with tabs for programs, in columns below a header for a person at a terminal.

import type { Io } from './command.ts'

type Cell = string | number

/** Prints a list, one row per line. A cell holds no line break of its own: it would end the row. */
export function printTable(io: Io, header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = rows.map((row) => row.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')))
  if (!io.outIsTerminal) return io.out(lines.map((line) => `${line.join('\t')}\n`).join(''))
  if (rows.length === 0) return
  const all = [header, ...lines]
  const widths = header.map((_, column) => Math.max(...all.map((line) => [...(line[column] ?? '')].length)))
  const shown = all.map((line) => line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)))
  io.out(shown.map((line) => `${line.join('  ').trimEnd()}\n`).join(''))
}
