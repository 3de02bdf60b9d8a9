// Comma-separated values (RFC 4180). The reader replaces the package csv-parse (1.7 MB) with 30 lines.

/** Returns one line with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

const csvCell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Returns a text that no spreadsheet takes for a formula: an apostrophe stands before it where it begins like one. */
export const plainCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** A line of a file; a cell with line breaks makes it longer than one. */
export interface CsvLine {
  /** The number of its first line, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * Yields the cells of each line that is not empty, with its number.
 * @param maxCells cells beyond it are left out, except the last
 */
export function* csvLines(text: string, maxCells = Infinity): Iterable<CsvLine> {
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let start = 1
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    if (char === '\n') line += 1
    if (quoted) {
      if (char === '"' && source[at + 1] === '"') cell += source[++at]
      else if (char === '"') quoted = false
      else cell += char
    } else if (char === '"' && cell === '') quoted = true
    else if (char === ',') {
      if (cells.length < maxCells) cells.push(cell)
      cell = ''
    } else if (char === '\n') {
      if (cell !== '' || cells.length > 0) yield { line: start, cells: [...cells, cell] }
      cells = []
      cell = ''
      start = line
    } else if (char !== '\r') cell += char
  }
  if (cell !== '' || cells.length > 0) yield { line: start, cells: [...cells, cell] }
}
