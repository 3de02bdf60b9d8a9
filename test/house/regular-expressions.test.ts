// Attack 131: no regular expression of src/ takes more than linear time on a text that was made to be slow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from 'recheck'
import { isDeep } from '../deep-run.ts'
import { digestOf, isUpdate, readSafePatterns, writeSafePatterns } from './safe-patterns.ts'
import { type SourcePattern, sourcePatterns } from './source-patterns.ts'

/** Those that can't be looked at, as what they are made of is known to a run alone, each with the reason why it is harmless. */
const madeAtRunTime: ReadonlyMap<string, string> = new Map([
  ['src/front/fill.ts', 'a choice of escaped texts, all of them from the files of nginx/'],
  ['src/themes/theme-path.ts', 'names of files with bounded repetitions and without overlap, from literals of the same file'],
  ['src/actions/themes/item.ts', 'the source of a literal in themes/theme-path.ts: letters, digits and hyphens, bounded'],
  ['src/actions/skills/put.ts', 'the source of a literal in skills/skill-file.ts, which is looked at there'],
])

/**
 * Most are decided by automata. Of those with look-around, references back or many repetitions the checker tries inputs: always the same
 * ones, a few rounds of them, and with time enough on a busy machine. That is no proof, but the hostile texts of test/deep are tried too.
 */
const tries = { randomSeed: 1, maxIteration: 4, timeout: 120_000 }

const found = sourcePatterns()

test('the patterns of src/ are found: literals, made ones, and those of schemas', () => {
  assert.ok(found.length > 300, `${found.length}`)
  for (const file of ['src/base/mask.ts', 'src/admin/paths.ts', 'src/actions/shared/token-item.ts'])
    assert.ok(
      found.some((one) => one.file === file && one.pattern !== undefined),
      file,
    )
})

test('attack 131: every pattern whose text is made at run time is named here, with the reason', () => {
  const unknown = new Set(found.filter(({ pattern }) => pattern === undefined).map(({ file }) => file))
  assert.deepEqual([...unknown].sort(), [...madeAtRunTime.keys()].sort())
})

/** A pattern that the checker has found safe is safe until the pattern or the checker changes. A deep run checks all patterns again. */
const knownSafe = isDeep || isUpdate ? new Set<string>() : readSafePatterns()

test('attack 131: no pattern of src/ is vulnerable to a hostile text', async () => {
  const faults: string[] = []
  const patterns = distinct(found)
  for (const [key, { file, pattern }] of patterns) {
    if (knownSafe.has(digestOf(key))) continue
    const verdict = await check(pattern?.source ?? '', pattern?.flags ?? '', tries)
    if (verdict.status !== 'safe') faults.push(`${file}: ${key}: ${verdict.status} ${told(verdict)}`)
  }
  assert.deepEqual(faults, [])
  if (isUpdate) writeSafePatterns([...patterns.keys()])
})

test('attack 131: the checker finds a vulnerable pattern, and the list of safe ones does not hold it', async () => {
  const hostile = /^(a+)+$/
  assert.equal((await check(hostile.source, hostile.flags, tries)).status, 'vulnerable')
  assert.ok(!readSafePatterns().has(digestOf(String(hostile))))
})

function distinct(patterns: readonly SourcePattern[]): ReadonlyMap<string, SourcePattern> {
  const known = patterns.filter(({ pattern }) => pattern !== undefined)
  return new Map(known.map((one) => [`/${one.pattern?.source}/${one.pattern?.flags}`, one]))
}

function told(verdict: Awaited<ReturnType<typeof check>>): string {
  return verdict.status === 'vulnerable' ? `(${verdict.complexity.type}): ${verdict.attack.pattern}` : ''
}
