// The redirects of a Ghost site, in `redirects.json` or `redirects.yaml`.

import { parse } from 'yaml'
import { isObject } from '../../../base/json.ts'
import type { ImportPart } from '../../stream.ts'

/** @param text the file; its rules are JavaScript regular expressions */
export function* readRedirects(path: string, text: string): Generator<ImportPart> {
  let rules: readonly (readonly [source: string, target: string, status: number])[]
  try {
    rules = rulesIn(path.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: 0 }))
  } catch {
    yield { kind: 'loss', group: 'file', name: path, reason: 'the file of redirects can’t be read' }
    return
  }
  for (const [source, target, status] of rules) {
    // Ghost means the whole path by a source without the marks of a pattern.
    const isPattern = /[\^$()*+?[\]\\|]/.test(source)
    yield { kind: 'redirect', source, target: target.replaceAll('__GHOST_URL__', ''), status, isPattern }
  }
}

function rulesIn(parsed: unknown): readonly (readonly [string, string, number])[] {
  if (Array.isArray(parsed))
    return parsed.flatMap((rule: unknown) =>
      isObject(rule) && typeof rule['from'] === 'string' && typeof rule['to'] === 'string'
        ? [[rule['from'], rule['to'], rule['permanent'] === false ? 302 : 301] as const]
        : [],
    )
  if (!isObject(parsed)) return []
  return Object.entries(parsed).flatMap(([status, rules]) =>
    isObject(rules)
      ? Object.entries(rules).map(([from, to]) => [from, String(to), Number(status) === 302 ? 302 : 301] as const)
      : [],
  )
}
