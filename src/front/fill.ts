// Turns a template of `nginx/`, which is a working file for example.org, into the same file for another site.

import { trimEndOf } from '../base/trim-text.ts'
import type { FrontOptions, Tls } from './front-options.ts'

/**
 * The conditions of a template's parts. A part begins with a comment such as `Only with TLS` and ends before the next empty line.
 */
export interface Conditions {
  readonly 'with TLS': boolean
  readonly 'with basic auth': boolean
  readonly 'in a subdirectory': boolean
  readonly 'with one node': boolean
}

export const conditionsOf = ({ tls, basicAuth, basePath, upstreams }: FrontOptions): Conditions => ({
  'with TLS': tls !== undefined,
  'with basic auth': basicAuth !== undefined,
  'in a subdirectory': basePath !== '',
  'with one node': upstreams.length === 1,
})

/** Example texts of a template, each with the text that replaces it. */
export type Replacements = readonly (readonly [example: string, text: string])[]

/** The files of the example certificate, replaced by those of the site. */
export const certificateValues = ({ certificate, key }: Tls): Replacements => [
  ['/etc/letsencrypt/live/example.org/fullchain.pem', certificate],
  ['/etc/letsencrypt/live/example.org/privkey.pem', key],
]

/**
 * Replaces the example values of a template in one pass, so that a replaced value is never replaced again. If two examples begin
 * at the same place, the longer one is replaced.
 */
export function fill(template: string, values: ReadonlyMap<string, string>, conditions: Conditions): string {
  const kept = dropParts(template, conditions)
  const examples = [...values.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(examples.map((example) => example.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
  return kept.replace(pattern, (example) => values.get(example) ?? example)
}

function dropParts(template: string, conditions: Conditions): string {
  const dropped = Object.entries(conditions)
    .filter(([, holds]) => !holds)
    .map(([name]) => `# Only ${name}`)
  let dropping = false
  const kept = template.split('\n').filter((line) => {
    if (line.trim() === '') dropping = false
    else if (dropped.some((mark) => line.trimStart().startsWith(mark))) dropping = true
    return !dropping
  })
  const text = kept.join('\n').replace(/\n{3,}/g, '\n\n')
  return text.endsWith('\n') ? `${trimEndOf(text, '\n')}\n` : text
}
