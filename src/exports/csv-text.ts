// Comma-separated values (RFC 4180).

/** Returns one line with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

const csvCell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Returns a text that no spreadsheet takes for a formula: an apostrophe stands before it where it begins like one. */
export const plainCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Returns the cells of each line after the first, which names the columns. */
export const readCsvLines = (text: string): readonly (readonly string[])[] => [...csvRows(text)].slice(1)

function* csvRows(text: string): Iterable<readonly string[]> {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y
  let cells: string[] = []
  for (let match = cell.exec(text); match !== null && cell.lastIndex <= text.length; match = cell.exec(text)) {
    const [, value = '', end] = match
    cells.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === ',') continue
    if (cells.length > 1 || cells[0] !== '') yield cells
    cells = []
    if (cell.lastIndex >= text.length) return
  }
}
