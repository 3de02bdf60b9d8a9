// Redirects as comma-separated values.

import { csvLines } from '../../base/csv.ts'
import { redirectStatuses } from '../../content/redirects/redirect-rules.ts'
import { invalid } from '../../base/failure.ts'

/** A rule with its line, for failures. */
export interface CsvRule {
  readonly at: string
  readonly from: string
  readonly to: string | null
  readonly status: number | undefined
  readonly note: string | undefined
}

const maxRules = 1000
/** One more than the cells of a rule, so that longer lines are noticed. */
const maxCells = 5

/** @throws Failure `invalid`, naming the line */
export function readCsv(text: string): readonly CsvRule[] {
  const rules: CsvRule[] = []
  for (const { line, cells } of csvLines(text, maxCells)) {
    const [from = '', to = '', status = '', note = ''] = cells.map((cell) => cell.trim())
    if (rules.length === 0 && from.toLowerCase() === 'from') continue
    if (from === '' && to === '') continue
    const wrong = (message: string, expected: string) => invalid(`csv.${line}`, `Line ${line} of "csv" ${message}`, expected)
    if (cells.length > 4) throw wrong('has more than four values.', 'from,to,status,note')
    const code = status === '' || status === '410' ? undefined : Number(status)
    if (code !== undefined && !redirectStatuses.includes(code as never))
      throw wrong(`has the status ${JSON.stringify(status.slice(0, 20))}.`, `one of ${redirectStatuses.join(', ')}`)
    if (note.length > 500) throw wrong('has a note of more than 500 characters.', 'a shorter note')
    if (status === '410' && to !== '') throw wrong('has a target with 410.', 'an empty `to` for 410')
    rules.push({ at: `csv.${line}.`, from, to: to === '' ? null : to, status: code, note: note === '' ? undefined : note })
    if (rules.length > maxRules) throw wrong(`is more than ${maxRules} redirects.`, 'several calls')
  }
  if (rules.length > 0) return rules
  throw invalid('csv', '"csv" has no redirect.', 'lines of from,to,status,note')
}
