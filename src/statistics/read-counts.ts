// Reads the counts of days. A visitor counts anew on each day, so the visitors of several days are the sum of their days.

import { sql } from 'kysely'
import type { Db } from '../store/core/database.ts'
import { joined, type Part, parts } from './parts.ts'

/** Days in the site's time zone, such as `2026-11-28`, both included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

export interface VisitCount {
  readonly value: string
  readonly views: number
  readonly visitors: number
}

/** The values of visits: parts of a day, and the days and months themselves. */
export const visitParts = parts.filter((part) => part !== 'all')
export type VisitPart = (typeof visitParts)[number]
export const visitGroups = ['day', 'month', ...visitParts] as const
export type VisitGroup = (typeof visitGroups)[number]

/** Reads counts by a group: days and months in their order, everything else with the most views first. */
export async function readVisits(db: Db, by: VisitGroup, range: DayRange, limit = Infinity): Promise<readonly VisitCount[]> {
  const isTime = by === 'day' || by === 'month'
  const value = by === 'day' ? sql<string>`day` : by === 'month' ? sql<string>`substr(day, 1, 7)` : sql<string>`value`
  const query = db
    .selectFrom('visit_count')
    .select((eb) => [value.as('name'), eb.fn.sum<number>('views').as('views'), eb.fn.sum<number>('visitors').as('visitors')])
    .where('part', '=', isTime ? 'all' : by)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .groupBy(value)
  const sorted = isTime ? query.orderBy('name') : query.orderBy('views', 'desc').orderBy('name')
  const rows = await (limit === Infinity ? sorted : sorted.limit(limit)).execute()
  const found = rows.map(({ name, views, visitors }) => ({ value: name, views, visitors }))
  return isTime ? everyTime(by, range, found) : found
}

/** Adds the days or months without visits. */
function everyTime(by: 'day' | 'month', range: DayRange, found: readonly VisitCount[]): readonly VisitCount[] {
  const known = new Map(found.map((one) => [one.value, one]))
  const names = new Set(daysOf(range).map((day) => (by === 'day' ? day : day.slice(0, 7))))
  return [...names].map((value) => known.get(value) ?? { value, views: 0, visitors: 0 })
}

const dayMs = 86_400_000

/** Returns the days of a range, the first one first. */
export function daysOf({ from, to }: DayRange): readonly string[] {
  const start = Date.parse(from)
  const count = Math.round((Date.parse(to) - start) / dayMs) + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) => new Date(start + at * dayMs).toISOString().slice(0, 10))
}

/** Reads the values with the most views of each part, in one query. */
export async function readTops(
  db: Db,
  { from, to }: DayRange,
  limit: number,
): Promise<ReadonlyMap<VisitPart, readonly VisitCount[]>> {
  const sums = db
    .selectFrom('visit_count')
    .select((eb) => ['part', 'value', eb.fn.sum<number>('views').as('views'), eb.fn.sum<number>('visitors').as('visitors')])
    .where('part', '!=', 'all')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['part', 'value'])
  const ranked = db
    .selectFrom(sums.as('sums'))
    .selectAll()
    .select(sql<number>`row_number() over (partition by part order by views desc, value)`.as('place'))
  const rows = await db.selectFrom(ranked.as('ranked')).selectAll().where('place', '<=', limit).orderBy('place').execute()
  const countsOf = (part: string) =>
    rows.filter((row) => row.part === part).map(({ value, views, visitors }) => ({ value, views, visitors }))
  return new Map(visitParts.map((part) => [part, countsOf(part)]))
}

/** The sums of a range. */
export interface VisitSums {
  readonly views: number
  readonly visitors: number
  readonly crawler_views: number
  readonly bot_views: number
  readonly downloads: number
}

export async function readSums(db: Db, { from, to }: DayRange): Promise<VisitSums> {
  const rows = await db
    .selectFrom('visit_count')
    .select((eb) => ['part', eb.fn.sum<number>('views').as('views'), eb.fn.sum<number>('visitors').as('visitors')])
    .where('part', 'in', ['all', 'crawler', 'bot', 'download'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('part')
    .execute()
  const of = (part: Part) => rows.find((row) => row.part === part)
  return {
    views: of('all')?.views ?? 0,
    visitors: of('all')?.visitors ?? 0,
    crawler_views: of('crawler')?.views ?? 0,
    bot_views: of('bot')?.views ?? 0,
    downloads: of('download')?.views ?? 0,
  }
}

/** The value as answers have it: null for the joined rest. */
export const shownValue = (value: string): string | null => (value === joined ? null : value)
