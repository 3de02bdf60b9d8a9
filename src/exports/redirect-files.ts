// The redirects of a site in several forms: the lines that SVC_Redirects.put-many takes, the file `_redirects` of static hosts,
// locations for nginx, and pages that lead on by themselves.

import type { ReadonlyPackedMap } from '../base/packed-map.ts'
import type { RedirectRow } from '../store/core/schema.ts'
import { headerUrl } from '../http/header-text.ts'
import { escapeHtml } from '../content/markdown/escape-html.ts'
import { csvLine } from '../base/csv.ts'

type Rule = Pick<RedirectRow, 'source' | 'target' | 'status' | 'note'>

/** Returns `from,to,status,note` and a line for each rule. */
export const redirectsCsv = (rules: readonly Rule[]): string =>
  csvLine(['from', 'to', 'status', 'note']) +
  rules.map(({ source, target, status, note }) => csvLine([source, target ?? '', String(status), note ?? ''])).join('')

/**
 * Yields the lines that Netlify, Cloudflare Pages and GitLab Pages read. An address that is gone for good, and a rule with a
 * query, have no form that all of them know, so they stand in comments.
 */
export function* redirectLines(rules: Iterable<Rule>): Iterable<string> {
  for (const rule of rules) yield lineOrComment(rule)
}

function lineOrComment({ source, target, status }: Rule): string {
  if (target === null) return `# ${encodeURI(source)} is gone\n`
  return hasQuery(source) ? leftOut(source, target) : lineOf(source, target, status)
}

const hasQuery = (source: string): boolean => source.includes('?')

/** The comment for a rule that a form can't hold. */
const leftOut = (source: string, target: string | null): string =>
  `# left out, because of its query: ${encodeURI(source)} ${target === null ? 'is gone' : encoded(target)}\n`

function lineOf(source: string, target: string, status: number): string {
  const to = source.endsWith('/*') ? target.replace(/\/\*$/, '/:splat') : target
  return `${encodeURI(source)} ${encoded(to)} ${status}\n`
}

/** Returns an address without characters that end it or are no part of one. What is encoded already stays as it is. */
const encoded = (address: string): string => headerUrl(address).replace(/["<>\\^`{|}]/g, encodeURIComponent)

/** Yields locations for a `server` of nginx, which compares paths only. Rules with a query stand in comments. */
export function* redirectsForNginx(rules: Iterable<Pick<Rule, 'source' | 'target' | 'status'>>): Iterable<string> {
  let number = 0
  for (const rule of rules)
    yield hasQuery(rule.source) ? leftOut(rule.source, rule.target) : `${locationOf(rule, `@redirect-${++number}`)}\n`
}

/** @param name for a rule with a pattern: a page below its path comes first */
function locationOf({ source, target, status }: Pick<Rule, 'source' | 'target' | 'status'>, name: string): string {
  const quoted = (text: string, end = '') => `"${text.replace(/["\\]/g, (char) => `\\${char}`)}${end}"`
  if (target === null) return `location = ${quoted(source)} { return 410; }`
  if (!source.endsWith('/*')) return `location = ${quoted(source)} { return ${status} ${quoted(addressOf(target))}; }`
  const [from, to] = [source.slice(0, -1), addressOf(target.replace(/\*$/, ''))]
  const flag = status === 301 || status === 308 ? 'permanent' : 'redirect'
  const pattern = `"^${escapePattern(from)}(.*)$"`
  const rewrite = `rewrite ${pattern} ${quoted(to, target.endsWith('/*') ? '$1' : '')} ${flag};`
  return `location ^~ ${quoted(from)} { try_files $uri $uri/index.html ${name}; }\nlocation ${name} { ${rewrite} }`
}

/** A dollar sign begins a variable of nginx, and has no escape there. */
const addressOf = (target: string): string => encoded(target).replaceAll('$', '%24')

const escapePattern = (text: string): string => text.replace(/[.*+?^$()[\]{}|"\\]/g, (char) => `\\${char}`)

/** Returns a page that leads to an address, for hosts that know no redirects. A path leads on wherever the files are served. */
export function redirectPage(target: string, origin: string): string {
  const whole = new URL(target, `${origin}/`)
  const canonical = escapeHtml(whole.href)
  const to = target.startsWith('/') && !target.startsWith('//') ? escapeHtml(whole.href.slice(whole.origin.length)) : canonical
  return (
    '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n' +
    `<title>${to}</title>\n<meta http-equiv="refresh" content="0; url=${to}">\n<link rel="canonical" href="${canonical}">\n` +
    `<meta name="robots" content="noindex">\n</head>\n<body><p><a href="${to}">${to}</a></p></body>\n</html>\n`
  )
}

/**
 * Yields the rules with the end of each chain as the target, so that every old address leads on in one hop.
 * @param rules by their sources
 */
export function* joinChains<R extends Pick<Rule, 'source' | 'target'>>(rules: ReadonlyPackedMap<R>): Iterable<R> {
  for (const rule of rules.values()) {
    let target = rule.target
    for (let hops = 0; hops < maxHops && target !== null; hops += 1) {
      const next = rules.get(target)?.target
      if (next === undefined || next === rule.source) break
      target = next
    }
    yield { ...rule, target }
  }
}

const maxHops = 10
