import { Type } from 'typebox'
import { boundedInteger, closed, flag } from '../../base/schema.ts'
import { invalid } from '../../base/failure.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { aiCrawlers, type AiCrawlerName } from '../../statistics/agent-names.ts'
import {
  daysOf,
  readSums,
  readTops,
  readVisits,
  shownValue,
  type VisitCount,
  type VisitGroup,
  visitGroups,
  visitParts,
} from '../../statistics/read-counts.ts'
import { visitTableFile, visitTableId } from '../../statistics/visits-csv.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'
import { rangeOf, rangeProperties } from './day-range.ts'

const usualLimit = 20
const maxLimit = 400
const maxTop = 20

/** Groups whose values visitors write. */
const writtenByStrangers: ReadonlySet<VisitGroup> = new Set(['referrer', 'campaign', 'search'])

const counted = Type.Object({
  value: nullable(Type.String(), 'Null joins the rare values of each day, and stands for what is unknown.'),
  views: Type.Integer(),
  visitors: Type.Integer({ description: '0 for programs.' }),
  company: Type.Optional(Type.String({ description: 'Of an AI crawler.' })),
  purpose: Type.Optional(
    Type.Enum(['training', 'search', 'person', 'several'], {
      description: 'Why an AI crawler reads, as its company says; `person` if somebody asked for the page.',
    }),
  ),
})

export const visits = action('SVC_Stats.visits', {
  title: 'Count the visits',
  summary: 'Counts views and visitors of the public site by day, path, referrer and more, and what AI crawlers and bots read.',
  tier: 'read',
  effect: 'read',
  input: closed({
    ...rangeProperties,
    by: Type.Optional(
      Type.Enum([...visitGroups], {
        description:
          'What to count by. The default is `day`. `crawler` are AI crawlers by name, `bot` other programs; `search` are searches that found nothing.',
      }),
    ),
    limit: Type.Optional(
      boundedInteger(`The most values. The default is ${usualLimit}; days and months are always all.`, 1, maxLimit),
    ),
    top: Type.Optional(boundedInteger('Also the values with the most views of each part, at most this many.', 1, maxTop)),
    csv: flag('True for a link to all values as CSV.'),
  }),
  output: Type.Object({
    from: Type.String(),
    to: Type.String(),
    by: Type.Enum([...visitGroups]),
    counting: Type.Boolean({ description: 'False if the setting `statistics` is off.' }),
    totals: Type.Object(
      {
        views: Type.Integer(),
        visitors: Type.Integer(),
        crawler_views: Type.Integer(),
        bot_views: Type.Integer(),
        downloads: Type.Integer(),
      },
      { description: 'Of people, unless the name says otherwise. A visitor counts once on each day.' },
    ),
    items: Type.Array(counted),
    top: Type.Optional(Type.Record(Type.String(), Type.Array(counted), { description: 'By part, as `by` names them.' })),
    csv_url: Type.Optional(
      Type.String({ description: 'For an hour: all values as CSV, with `views` and `visitors`. Works without a token.' }),
    ),
    csv_urls: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'With `top`: the same for each part, by its name.' }),
    ),
    ...fromStrangersProperty,
  }),
  examples: [
    { title: 'The last 30 days', input: {} },
    { title: 'The pages that were read most in the last week', input: { by: 'path', from: '-6d', limit: 10 } },
    { title: 'What AI crawlers read', input: { by: 'crawler' } },
    { title: 'Everything of this week at once', input: { from: '-6d', top: 5 } },
  ],
  prepare: ({ site }) => site.statistics.flush(),
  async run(context, { by = 'day', limit = usualLimit, top, csv, ...asked }) {
    const { db, site, caller, origin, now } = context
    const range = rangeOf(context, asked)
    if (by === 'day' && daysOf(range).length > maxLimit)
      throw invalid('from', `By day, at most ${maxLimit} days are counted.`, 'a later "from", or "by": "month"')
    const isTime = by === 'day' || by === 'month'
    const items = await readVisits(db, by, range, isTime ? Infinity : limit)
    const tops = top === undefined ? undefined : await readTops(db, range, top)
    const csvOf = (group: VisitGroup): string => {
      const table = { by: group, ...range }
      const link = { id: visitTableId(table), filename: visitTableFile(table) }
      return origin + signedPath(site.key, link, now + signedMs, caller)
    }
    return {
      ...range,
      by,
      counting: site.settings.values.statistics,
      totals: await readSums(db, range),
      items: items.map((item) => toItem(by, item)),
      ...(tops && { top: Object.fromEntries([...tops].map(([part, found]) => [part, found.map((item) => toItem(part, item))])) }),
      ...(csv === true && { csv_url: csvOf(by) }),
      ...(csv === true && tops && { csv_urls: Object.fromEntries(visitParts.map((part) => [part, csvOf(part)])) }),
      ...fromStrangers(...(tops || writtenByStrangers.has(by) ? ['value'] : [])),
    }
  },
})

function toItem(by: VisitGroup, { value, ...counts }: VisitCount) {
  const known = by === 'crawler' && Object.hasOwn(aiCrawlers, value) ? aiCrawlers[value as AiCrawlerName] : undefined
  return { value: shownValue(value), ...counts, ...known }
}
