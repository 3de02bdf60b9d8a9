import { Type } from 'typebox'
import { boundedText, closed, severalOf } from '../../base/schema.ts'
import { toTarget } from '../../content/redirects/redirect-rules.ts'
import { type RedirectDraft, writeRedirects } from '../../content/redirects/redirects.ts'
import { invalid } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { fullProperty, manyAnswer, manyOutput, type WriteWarning } from '../call/write-answer.ts'
import { from, note, sourceOf, status, to } from './rule.ts'
import { readCsv } from './csv.ts'
import { readForeignCsv } from './foreign-csv.ts'

/** The most redirects of a call. */
const maxRules = 1000

/** Warns of the lines of another system that have no rule here. */
function passedOverWarning(passedOver: readonly string[]): WriteWarning[] {
  if (passedOver.length === 0) return []
  const message = `${passedOver.length} of the lines have no rule here: ${passedOver.slice(0, 3).join('; ')}.`
  return [{ code: 'rule_passed_over', message, found: passedOver.slice(0, 100) }]
}

const rule = closed({ from, to, status, note })

export const putMany = action('SVC_Redirects.put-many', {
  title: 'Write [the redirects {title}|many redirects]',
  summary: 'Writes up to 1,000 redirects, each instead of one from the same path: all or none.',
  did: 'wrote [the redirects {title}|many redirects]',
  tier: 'content',
  effect: 'write',
  touches: 'site',
  input: closed({
    rules: Type.Optional(severalOf(rule, 'The redirects.', maxRules)),
    csv: Type.Optional(
      boundedText(
        'The same as lines of `from,to,status,note`, with or without such a first line. An empty `to` says gone for good. The export of the WordPress plugin Redirection is read too; `warnings` names what has no rule.',
        512 * 1024,
      ),
    ),
    full: fullProperty,
  }),
  output: manyOutput,
  examples: [
    {
      title: 'Two rules',
      input: {
        rules: [
          { from: '/a-old', to: '/about' },
          { from: '/b-old', to: null },
        ],
      },
    },
    { title: 'From a spreadsheet', input: { csv: 'from,to\n/team-old,/about\n/jobs-old,/about\n' } },
  ],
  async run(context, { rules, csv, full }) {
    if ((rules === undefined) === (csv === undefined))
      throw invalid(rules ? 'csv' : 'rules', 'Give either `rules` or `csv`.', 'one of `rules` and `csv`')
    const foreign = csv === undefined ? undefined : readForeignCsv(csv)
    const drafts = new Map<string, RedirectDraft>()
    const read = foreign?.rules ?? (rules ? rules.map((one, at) => ({ ...one, at: `rules.${at}.` })) : readCsv(csv ?? ''))
    if (read.length > maxRules) throw invalid('csv', `"csv" has more than ${maxRules} redirects.`, 'several calls')
    for (const { at, ...given } of read) {
      const source = sourceOf(context, given.from, `${at}from`)
      if (drafts.has(source)) throw invalid(`${at}from`, `There are two redirects from ${source}.`, 'each path once')
      const target = toTarget(given.to, source, `${at}to`)
      drafts.set(source, { source, target, status: given.status ?? 301, note: given.note, field: `${at}from` })
    }
    const written = await writeRedirects(context.change, [...drafts.values()], 'hand')
    const ids = (did: boolean) => written.filter(({ changed }) => changed.length > 0 === did).map(({ row }) => row.id)
    return { ...manyAnswer(ids(true), ids(false), full), warnings: foreign ? passedOverWarning(foreign.passedOver) : [] }
  },
})
