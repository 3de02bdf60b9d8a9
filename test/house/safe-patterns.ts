// The patterns that the checker of regular expressions has found safe: digests of them in safe-patterns.json, with the version of the checker. To
// check hundreds of patterns takes twenty seconds, so a run of the tests checks those that are not in the list, and a deep run checks all.
//
// `TEST_UPDATE=1 npm test -- test/house/regular-expressions.test.ts` checks all of them and writes the list.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../site.ts'

interface SafePatterns {
  /** The version of `recheck` that checked the patterns. */
  readonly recheck: string
  readonly patterns: readonly string[]
}

/** Whether this run checks all patterns and writes the list. */
export const isUpdate = process.env['TEST_UPDATE'] === '1'

const file = join(root, 'test', 'house', 'safe-patterns.json')

/** @param key the pattern as a literal, with its flags */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 16)

/** The digests of the safe patterns; none after a change of the checker. */
export function readSafePatterns(): ReadonlySet<string> {
  const { recheck, patterns } = JSON.parse(readFileSync(file, 'utf8')) as SafePatterns
  return new Set(recheck === checkerVersion() ? patterns : [])
}

/** @param keys of patterns that were all found safe */
export function writeSafePatterns(keys: readonly string[]): void {
  const list: SafePatterns = { recheck: checkerVersion(), patterns: keys.map(digestOf).sort() }
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`)
}

function checkerVersion(): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>
  }
  return lock.packages['node_modules/recheck']?.version ?? ''
}
