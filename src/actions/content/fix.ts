// SVC_Content.fix: makes the calls that fix the findings of a check. They run as the calls of a batch, so each is checked at its
// own tier and by the limits of the caller. A finding that is no longer there is not fixed.

import { type Static, Type } from 'typebox'
import { checkRules, isEntryRule } from '../../content/entries/check-entry.ts'
import { boundedText, closed, severalOf } from '../../base/schema.ts'
import { invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { type BatchCall, maxCalls } from '../api/batch-plan.ts'
import { prepareCalls, runCalls } from '../api/batch.ts'
import { SkippedCall } from '../api/batch-answer.ts'
import { action } from '../call/action.ts'
import { entriesWait, waitsProperty } from '../call/waits.ts'
import { sampleOf, writeProperties } from '../call/write-answer.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { checkMany, chosenProperties } from './chosen.ts'
import { checkSite } from './check.ts'
import type { CheckFinding } from './check-shared.ts'
import { entryWrite } from './writing.ts'

const oneFinding = Type.Object(
  {
    id: boundedText('The `id` of the finding.', 1100),
    rule: Type.Optional(Type.Enum([...checkRules])),
    place: Type.Optional(boundedText('The `place` of the finding.', 3000)),
  },
  { description: 'A finding as SVC_Content.check answers it. Only its `id`, `rule` and `place` are read.' },
)

const leftFinding = Type.Object({ id: Type.String(), place: Type.String(), message: Type.String() })

/** The names of the actions that a fix may be. Limits that ask first for one of them ask first for `fix`. */
const fixing = ['SVC_Content.edit', 'SVC_Content.update', 'SVC_Themes.configure', 'SVC_Redirects.update'] as const

export const fix = action('SVC_Content.fix', {
  title: 'Fix what the check found in [{title}|the entries]',
  summary:
    'Makes the calls that fix what SVC_Content.check finds: for some findings, or for all of some rules. One change, one undo.',
  did: 'fixed what the check found in [{title}|the entries]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'in_use', 'unprocessable'],
  runs: () => fixing,
  input: closed({
    ...chosenProperties,
    rules: Type.Optional(
      severalOf(Type.Enum([...checkRules]), 'The rules whose findings to fix. The default is all.', checkRules.length),
    ),
    findings: Type.Optional(severalOf(oneFinding, 'Fixes only these.', maxCalls)),
    expect: expectProperty('findings that have a fix'),
  }),
  output: Type.Object({
    fixed: Type.Integer({ description: 'How many findings were fixed.' }),
    done: Type.Array(Type.String(), { description: 'Ids of what changed: the first ten.' }),
    left: Type.Optional(Type.Array(leftFinding, { description: 'What could not be fixed, and why.' })),
    ...waitsProperty,
    ...writeProperties,
  }),
  examples: [
    { title: 'The headings of the texts in one language', input: { where: { locale: 'xx' }, rules: ['headings'], expect: 0 } },
  ],
  async prepare(context, { ids, where, rules, findings }) {
    if (findings === undefined && ids === undefined && where === undefined)
      throw invalid(
        'ids',
        'Say what to fix: `findings`, or `where` (`{}` is everything) with `rules`.',
        '`findings`, `ids` or `where`',
      )
    const chosen = ids !== undefined || where !== undefined ? { ids, where, rules } : { ...choiceOf(findings ?? []), rules }
    const found = await checkSite(context, chosen)
    const fixable = found.findings.filter(
      (one) => one.fix !== null && (findings === undefined || findings.some((given) => isSame(given, one))),
    )
    checkMany(fixable.length, maxCalls)
    const calls = fixable.map(toCall)
    return { fixable, calls, prepared: await prepareCalls(context, calls, { skips: true }) }
  },
  async run(context, { expect }, { fixable, calls, prepared }) {
    checkExpected(fixable.length, expect, 'findings that have a fix')
    const results = await runCalls(context, calls, prepared)
    const left: Static<typeof leftFinding>[] = []
    const done = new Set<string>()
    const waiting = new Set<string>()
    for (const [at, { id, place }] of fixable.entries()) {
      const result = results[at]
      if (result instanceof SkippedCall) left.push({ id, place, message: result.message })
      else (isStaged(result) ? waiting : done).add(id)
    }
    return {
      fixed: fixable.length - left.length,
      done: sampleOf([...done, ...waiting]),
      ...(left.length > 0 && { left }),
      ...(waiting.size > 0 && !context.dryRun && { waits: entriesWait(context, waiting.size) }),
      warnings: [],
      activity_id: null,
    }
  },
})

/** Chooses what has these findings: the entries, or the whole site if one is about what the whole site shares. */
function choiceOf(findings: readonly Static<typeof oneFinding>[]) {
  const isShared = findings.some(({ rule }) => rule === undefined || !isEntryRule(rule))
  return isShared ? { where: {} } : { ids: [...new Set(findings.map(({ id }) => id))] }
}

const isSame = ({ id, rule, place }: Static<typeof oneFinding>, one: CheckFinding): boolean =>
  id === one.id && (rule ?? one.rule) === one.rule && (place ?? one.place) === one.place

const toCall = ({ fix: given }: CheckFinding): BatchCall => {
  const { call, arguments: input } = given as NonNullable<CheckFinding['fix']>
  return { action: call, arguments: input as Readonly<Record<string, unknown>> }
}

/** True for the result of a write that waits to be published. */
const isStaged = (result: unknown): boolean => isObject(result) && result['live'] === false && isObject(result['waits'])
