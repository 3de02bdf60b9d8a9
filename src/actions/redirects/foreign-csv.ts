// The table that the WordPress plugin Redirection exports: `source,target,regex,code,type,…`, in any order of the columns.

import { csvLines } from '../../base/csv.ts'
import { Failure } from '../../base/failure.ts'
import { fromRegex, type Translated } from '../../content/redirects/from-regex.ts'
import { redirectStatuses, toSource, toTarget } from '../../content/redirects/redirect-rules.ts'
import type { CsvRule } from './csv.ts'

export interface ForeignRules {
  readonly rules: readonly CsvRule[]
  /** Sources without a rule, each with the reason. */
  readonly passedOver: readonly string[]
}

/** Reads the table; undefined for one of another form. */
export function readForeignCsv(text: string): ForeignRules | undefined {
  const [head, ...lines] = csvLines(text)
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  if (!['source', 'target', 'regex'].every((name) => names.includes(name))) return undefined
  const rules = new Map<string, CsvRule>()
  const passedOver: string[] = []
  for (const { line, cells } of lines) {
    const row = Object.fromEntries(names.map((name, at) => [name, cells[at]?.trim() ?? '']))
    const translated = translate(row)
    if ('why' in translated) passedOver.push(`${row['source']}: ${translated.why}`)
    else
      for (const { source, target } of translated.rules) {
        const code = Number(row['code'])
        const status = redirectStatuses.includes(code as never) ? code : undefined
        const rule = { at: `csv.${line}.`, from: source, to: target, status, note: row['title']?.slice(0, 500) || undefined }
        // The plugin takes the first rule that matches.
        if (!rules.has(source)) rules.set(source, rule)
      }
  }
  return { rules: [...rules.values()], passedOver }
}

function translate(row: Readonly<Record<string, string>>): Translated {
  const { source = '', target = '', regex, code = '', type = 'url', status } = row
  if (status === 'disabled') return { why: 'it is switched off' }
  const isGone = code === '410' || code === '404'
  if (!isGone && (target === '' || (type !== '' && !['url', 'regex'].includes(type)))) return { why: 'it does not redirect' }
  const to = isGone ? null : target
  if (regex === '1') return fromRegex(source, to)
  try {
    const from = toSource(source)
    return { rules: [{ source: from, target: toTarget(to, from) }] }
  } catch (error) {
    if (error instanceof Failure) return { why: error.message }
    throw error
  }
}
