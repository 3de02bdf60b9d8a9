// Visitors for statistics: requests as browsers and programs send them, with the clock and the settings in the test's hand.

import type { Store } from '../../src/store/core/database.ts'
import { definitions, type SettingValues } from '../../src/settings/definitions.ts'
import { createStatistics, type Statistics } from '../../src/statistics/statistics.ts'
import type { VisitRequest } from '../../src/statistics/counted-request.ts'
import { type MakeDatabase, quiet } from '../store/on-each-database.ts'

export const agents = {
  chrome: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  tablet: 'Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  claude: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  gpt: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot',
  google: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  python: 'python-requests/2.32.3',
} as const

export interface Visiting {
  readonly address?: string
  readonly agent?: string
  readonly query?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request for a page. */
export function visit({
  address = '203.0.113.7',
  agent = agents.chrome,
  query = '',
  method = 'GET',
  headers = {},
}: Visiting = {}): VisitRequest {
  const all: Readonly<Record<string, string>> = { 'user-agent': agent, 'accept-language': 'de-DE,de;q=0.9', ...headers }
  return {
    method,
    target: `/about${query}`,
    query: new URLSearchParams(query),
    client: address,
    host: 'example.org',
    scheme: 'https',
    header: (name) => all[name],
  }
}

/** Statistics of one process, with a clock that stands still. */
export interface Counter extends Statistics {
  /** Such as `2026-11-28T12:00:00Z`. */
  at(time: string): void
  set(values: Partial<SettingValues>): void
}

const defaults = Object.fromEntries(
  Object.entries(definitions).map(([key, { fallback }]) => [key, fallback]),
) as unknown as SettingValues

export function openCounter(store: Store, time = '2026-11-28T12:00:00Z'): Counter {
  let now = Date.parse(time)
  const settings = { values: { ...defaults, time_zone: 'Europe/Berlin' } }
  return {
    ...createStatistics(store, settings, { now: () => now }, quiet),
    at: (later) => void (now = Date.parse(later)),
    set: (values) => void (settings.values = { ...settings.values, ...values }),
  }
}

/** The counts of a part: `value: [views, visitors]`. */
export async function countsOf(store: Store, part: string, day = '2026-11-28'): Promise<Record<string, [number, number]>> {
  const rows = await store.read
    .selectFrom('visit_count')
    .select(['value', 'views', 'visitors'])
    .where('part', '=', part)
    .where('day', '=', day)
    .orderBy('views', 'desc')
    .orderBy('value')
    .execute()
  return Object.fromEntries(rows.map(({ value, views, visitors }) => [value, [views, visitors]]))
}

/** The tables of a site, opened by several processes. All is closed and deleted at the end. */
export async function openStores(
  make: MakeDatabase,
  count = 1,
): Promise<AsyncDisposable & { readonly stores: readonly Store[]; readonly store: Store }> {
  const database = await make('tables')
  const store = await database.open()
  const stores = [store, ...(await Promise.all(Array.from({ length: count - 1 }, () => database.open())))]
  return {
    store,
    stores,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((one) => one.close()))
      await database[Symbol.asyncDispose]()
    },
  }
}
