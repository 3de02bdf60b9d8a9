// SVC_Content.fix: fixes findings of SVC_Content.check. The calls run as those of a batch, so each is checked at its own tier and
// by the limits of the caller. The check runs again first, so stale findings are not fixed.

import { type Static, Type } from 'typebox'
import { fitting } from '../../activity/diff.ts'
import { type CheckRule, checkRules, isEntryRule } from '../../content/entries/check-entry.ts'
import { boundedText, closed, severalOf } from '../../base/schema.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { maxCalls } from '../api/batch-plan.ts'
import { type PreparedCalls, prepareCalls, runCalls } from '../api/batch.ts'
import { SkippedCall, skippedBy } from '../api/batch-answer.ts'
import { action, type Context } from '../call/action.ts'
import { entriesWait, waitsProperty } from '../call/waits.ts'
import { sampleOf, writeProperties } from '../call/write-answer.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { chosenProperties } from './chosen.ts'
import { checkSite } from './check.ts'
import { type FreshFinding, shownFinding } from './finding.ts'
import { type FixCall, fixCalls, isUnchanged, readRevisions } from './fix-calls.ts'
import { entryWrite } from './writing.ts'

const oneFinding = Type.Object(
  {
    id: boundedText('The `id` of the finding.', 1100),
    rule: Type.Enum([...checkRules]),
    place: boundedText('The `place` of the finding.', 3000),
  },
  { description: 'A finding as SVC_Content.check answers it. Only its `id`, `rule` and `place` are read.' },
)
type Given = Static<typeof oneFinding>

const leftFinding = Type.Object({
  id: Type.String(),
  rule: Type.Enum([...checkRules]),
  place: Type.String(),
  message: Type.String(),
})
type Left = Static<typeof leftFinding>

/** The actions that a fix may call. A token that must ask for one of them must ask for `fix` too. */
const fixing = [
  'SVC_Content.edit',
  'SVC_Content.update',
  'SVC_Menus.update',
  'SVC_Menus.remove',
  'SVC_Themes.configure',
  'SVC_Redirects.update',
] as const

/** The rules with fixable findings. */
const fixedRules: readonly CheckRule[] = ['links', 'fragments', 'headings', 'lengths', 'menus', 'themes', 'redirects']

const maxLeftBytes = 24 * 1024

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
      severalOf(Type.Enum([...checkRules]), 'The rules whose findings to fix, as for `check`.', checkRules.length),
    ),
    findings: Type.Optional(severalOf(oneFinding, 'Fixes only these, instead of `ids` or `where`.', maxCalls)),
    expect: expectProperty('findings that can be fixed'),
  }),
  output: Type.Object({
    fixed: Type.Integer({ description: 'How many findings were fixed.' }),
    done: Type.Array(Type.String(), { description: 'Ids of what changed: the first ten.' }),
    left: Type.Array(leftFinding, {
      description: 'What was asked for and not fixed, and why, as far as it fits. `counts.left` counts all of it.',
    }),
    counts: Type.Object({ done: Type.Integer(), left: Type.Integer() }),
    ...waitsProperty,
    ...writeProperties,
  }),
  examples: [
    { title: 'The headings of the texts in one language', input: { where: { locale: 'xx' }, rules: ['headings'], expect: 0 } },
  ],
  async prepare(context, { ids, where, rules, findings }) {
    const { fixable, left } = findings
      ? await findGiven(context, findings, { ids, where, rules })
      : await findChosen(context, { ids, where, rules })
    checkCount(fixable.length)
    const calls = fixCalls(context.site.registry, fixable)
    const batchCalls = calls.map(({ call }) => call)
    return { calls, left, prepared: await prepareCalls(context, batchCalls, { skips: true }) }
  },
  async run(context, { expect }, { calls, left: known, prepared }) {
    const revisions = await readRevisions(
      context.db,
      calls.flatMap(({ findings }) => findings),
    )
    const present = calls.map(({ findings }) => findings.every((one) => isUnchanged(revisions, one)))
    const results = await runCalls(
      context,
      calls.map(({ call }) => call),
      withoutChanged(context, calls, prepared, present),
    )
    const done = new Set<string>()
    const waiting = new Set<string>()
    const left = [...known]
    let fixed = 0
    for (const [place, { findings }] of calls.entries()) {
      const result = results[place]
      if (result instanceof SkippedCall) left.push(...findings.map((one) => leftBecause(one, result.message)))
      else {
        fixed += findings.length
        for (const { id } of findings) (isStaged(result) ? waiting : done).add(id)
      }
    }
    checkExpected(fixed, expect, 'findings that can be fixed')
    const all = new Set([...done, ...waiting])
    return {
      fixed,
      done: sampleOf([...all]),
      left: fitting(left, maxLeftBytes),
      counts: { done: all.size, left: left.length },
      ...(waiting.size > 0 && !context.dryRun && { waits: entriesWait(context, waiting.size) }),
      warnings: [],
      activity_id: null,
    }
  },
})

type Chosen = Pick<Parameters<typeof checkSite>[1], 'ids' | 'where' | 'rules'>

interface ToFix {
  readonly fixable: readonly FreshFinding[]
  readonly left: readonly Left[]
}

/** Finds what can be fixed among the chosen entries. @throws Failure `invalid` if nothing is chosen */
async function findChosen(context: Context, { ids, where, rules }: Chosen): Promise<ToFix> {
  if (ids === undefined && where === undefined)
    throw invalid(
      'ids',
      'Say what to fix: `findings`, or `where` (`{}` is everything) with `rules`.',
      '`findings`, `ids` or `where`',
    )
  const isWhole = ids === undefined && Object.keys(where ?? {}).length === 0
  const wanted = rules ?? fixedRules.filter((rule) => isWhole || isEntryRule(rule))
  const { findings } = await checkSite(context, { ids, where, rules: wanted, asWritten: true })
  return { fixable: findings.filter((one) => mayFix(context, one)), left: [] }
}

/** Finds the given findings again. @throws Failure `invalid` for findings with another choice */
async function findGiven(context: Context, given: readonly Given[], { ids, where, rules }: Chosen): Promise<ToFix> {
  if (ids ?? where ?? rules) throw invalid('findings', 'Give `findings` alone.', 'neither `ids` nor `where` nor `rules`')
  const asked = [...new Set(given.map(({ id }) => id))]
  const entries = await context.db
    .selectFrom('entry')
    .select('id')
    .where('id', 'in', asked)
    .where('status', '!=', 'trash')
    .execute()
  const ofGiven = [...new Set(given.map(({ rule }) => rule))]
  const found: FreshFinding[] = []
  const shared = ofGiven.filter((rule) => !isEntryRule(rule))
  if (shared.length > 0) found.push(...(await checkSite(context, { where: {}, rules: shared })).findings)
  const ofEntries = ofGiven.filter(isEntryRule)
  const chosen = entries.map(({ id }) => id)
  if (ofEntries.length > 0 && chosen.length > 0)
    found.push(...(await checkSite(context, { ids: chosen, rules: ofEntries, asWritten: true })).findings)
  const byKey = new Map(found.map((one) => [keyOf(one), one]))
  const fixable: FreshFinding[] = []
  const left: Left[] = []
  for (const one of new Map(given.map((given) => [keyOf(given), given])).values()) {
    const fresh = byKey.get(keyOf(one))
    if (!fresh) left.push(leftBecause(one, notThere))
    else if (mayFix(context, fresh)) fixable.push(fresh)
    else left.push(leftBecause(one, 'No call fixes this: change it by hand.'))
  }
  return { fixable, left }
}

const keyOf = ({ id, rule, place }: Given): string => `${id} ${rule} ${place}`

const notThere = 'The finding is gone: its entry, menu, theme or redirect has changed since the check.'

const leftBecause = ({ id, rule, place }: Given, message: string): Left => ({ id, rule, place, message })

/** True for a finding with a fix that the caller may see. */
const mayFix = (context: Context, one: FreshFinding): boolean => shownFinding(context, one).fix !== null

/** @throws Failure `refused` for more findings than one call fixes */
function checkCount(count: number): void {
  if (count <= maxCalls) return
  throw new Failure('refused', `One call fixes at most ${maxCalls} findings; these are ${count}.`, {
    field: 'where',
    rule: 'one call fixes a bounded number of findings',
    hint: 'Narrow `where` or `rules`, and make several calls.',
  })
}

/**
 * Skips the calls about things that changed after they were checked.
 * @param present by place, true for a call whose objects are unchanged
 */
function withoutChanged(
  context: Context,
  calls: readonly FixCall[],
  prepared: PreparedCalls,
  present: readonly boolean[],
): PreparedCalls {
  const failure = new Failure('conflict', notThere)
  const planned = prepared.planned.map((one, place) => (present[place] ? one : ({ call: one.call, phase: 'skipped' } as const)))
  const early = calls.map(({ call }, place) => (present[place] ? prepared.early[place] : skippedBy(context, call, failure)))
  return { ...prepared, planned, early }
}

/** True for the result of a write that waits to be published. */
const isStaged = (result: unknown): boolean => isObject(result) && result['live'] === false && isObject(result['waits'])
