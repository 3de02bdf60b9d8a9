// Made counts of the last days, as a small shop has them.

import { writeRows } from '../rows.ts'

const dayMs = 86_400_000

/** The day that was some days ago, in UTC. */
export const dayAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

/** Shares of a day's views, by part and value; visitors are about half of them. */
const shares: readonly (readonly [part: string, value: string, share: number])[] = [
  ['path', '/', 0.31],
  ['path', '/bread', 0.17],
  ['path', '/opening-hours', 0.12],
  ['path', '/blog/why-we-bake-at-night-and-what-the-neighbours-say-about-the-smell', 0.08],
  ['path', '/straße/größe', 0.04],
  ['path', '', 0.05],
  ['referrer', 'google.com', 0.22],
  ['referrer', 'news.example.com', 0.06],
  ['referrer', 'a-very-long-name-of-a-site-that-links-here.neighbourhood.example', 0.02],
  ['referrer', '', 0.03],
  ['device', 'phone', 0.58],
  ['device', 'desktop', 0.37],
  ['device', 'tablet', 0.05],
  ['language', 'de', 0.7],
  ['language', 'en', 0.2],
  ['language', 'tr', 0.05],
  ['language', '', 0.02],
  ['campaign', 'newsletter / email / spring', 0.04],
  ['search', 'gluten free', 0.02],
  ['search', '<script>alert(1)</script>', 0.01],
  ['download', '/media/price-list.pdf', 0.03],
]

const programs: readonly (readonly [part: string, value: string, share: number])[] = [
  ['crawler', 'ClaudeBot', 0.2],
  ['crawler', 'GPTBot', 0.15],
  ['crawler', 'ChatGPT-User', 0.05],
  ['bot', 'Googlebot', 0.3],
  ['bot', 'bingbot', 0.1],
  ['bot', '', 0.4],
]

/** Writes the counts of the last days into a home's database, beside the running service. */
export async function makeDays(home: string, days: number, viewsADay = 120): Promise<void> {
  for (let ago = 0; ago < days; ago++) {
    // Quiet Mondays, and a peak on one day.
    const views = Math.round(viewsADay * (1 + 0.4 * Math.sin(ago)) * (ago === 9 ? 3 : 1))
    const add = (part: string, value: string, count: number, visitors: number) =>
      writeRows(home, 'insert into visit_count (day, part, value, views, visitors) values (?, ?, ?, ?, ?)', [
        dayAgo(ago),
        part,
        value,
        count,
        visitors,
      ])
    await add('all', '', views, Math.round(views * 0.45))
    for (const [part, value, share] of shares) await add(part, value, Math.ceil(views * share), Math.ceil(views * share * 0.5))
    for (const [part, value, share] of programs) await add(part, value, Math.ceil(views * share), 0)
  }
}
