// The mark of an export, as it is read back.

import { isObject } from '../base/json.ts'
import { markName } from '../base/export-mark.ts'
import type { ComparedFiles } from './folder-files.ts'
import { readYaml } from './folder-sides.ts'

export interface ExportMark {
  readonly title: string | null
  readonly url: string | null
  /** The main language of the exported site, and its others. */
  readonly language: string | null
  readonly languages: readonly string[]
  /** True for an export of the whole site; false for one of entries and media alone. */
  readonly isWhole: boolean
}

/** Reads the mark. @throws Failure `unprocessable` if it is no YAML */
export function readMark(files: ComparedFiles): ExportMark {
  const read = readYaml(files, markName)
  const mark = isObject(read) ? read : {}
  const text = (name: string) => (typeof mark[name] === 'string' ? mark[name] : null)
  const languages = mark['languages']
  return {
    title: text('title'),
    url: text('url'),
    language: text('language'),
    languages: Array.isArray(languages) ? languages.filter((one) => typeof one === 'string') : [],
    isWhole: mark['holds'] !== 'entries',
  }
}
