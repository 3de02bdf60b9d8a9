// The redirects of a site in two forms: the lines that SVC_Redirects.put-many takes, and the file `_redirects` of static hosts.

import type { RedirectRow } from '../store/core/schema.ts'
import { csvLine } from './csv-text.ts'

type Rule = Pick<RedirectRow, 'source' | 'target' | 'status' | 'note'>

/** Returns `from,to,status,note` and a line for each rule. */
export const redirectsCsv = (rules: readonly Rule[]): string =>
  csvLine(['from', 'to', 'status', 'note']) +
  rules.map(({ source, target, status, note }) => csvLine([source, target ?? '', String(status), note ?? ''])).join('')

/**
 * Returns the lines that Netlify, Cloudflare Pages and GitLab Pages read. An address that is gone for good has no form there, so it
 * stands in a comment.
 */
export const redirectLines = (rules: readonly Rule[]): string =>
  rules.map(({ source, target, status }) => (target === null ? `# ${source} is gone\n` : lineOf(source, target, status))).join('')

function lineOf(source: string, target: string, status: number): string {
  const to = source.endsWith('/*') ? target.replace(/\/\*$/, '/:splat') : target
  return `${encodeURI(source)} ${encodeURI(decodeSafely(to))} ${status}\n`
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
