// The sitemap: every public page that search engines may index, with its image and languages. It is streamed, and split above
// 50,000 addresses: `/sitemap.xml` is then a list of the parts.

import { publicProfiles } from '../../identity/profile.ts'
import { sql } from 'kysely'
import { findThemeImages } from '../../actions/media/page-media.ts'
import { publicOnly, urlOf } from '../../content/entries/entry.ts'
import { toSeo } from '../../content/types/field-values.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import { stream, type Reply } from '../../http/reply.ts'
import { listHomes } from '../pages/alternates.ts'
import type { Frame } from '../pages/frame.ts'
import { addressIn, siteFacts } from '../pages/page-data/site-facts.ts'
import { xmlElement, xmlText } from '../../content/markdown/escape-xml.ts'

/** The most addresses in one file. @see https://www.sitemaps.org/protocol.html */
const maxAddresses = 50_000
/** The number of entries in one query. */
const batch = 500

const path = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/

export const isSitemap = (asked: string): boolean => path.test(asked)

/** The sitemap or a part of it; undefined for a part that doesn't exist. */
export async function sitemapReply(frame: Frame, asked: string): Promise<Reply | undefined> {
  const { site } = frame
  const part = path.exec(asked)?.[1]
  // Those with a password are counted, too: an index answers this, and the last part is a little shorter.
  const { count } = await site.store.read
    .selectFrom('entry')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('status', '=', 'published')
    .executeTakeFirstOrThrow()
  // The home pages and archives are in the first part, which keeps room for them.
  const parts = Math.ceil(Number(count) / perPart)
  if (part !== undefined && Number(part) > Math.max(1, parts)) return undefined
  const body = part === undefined && parts > 1 ? index(frame, parts) : urlset(frame, Number(part ?? 1) - 1)
  return stream(200, body, { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-cache' })
}

const maxArchives = 5000
const perPart = maxAddresses - maxArchives

const start = '<?xml version="1.0" encoding="utf-8"?>\n'
const namespaces =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

async function* index({ origin }: Frame, parts: number): AsyncGenerator<Uint8Array> {
  const lines = Array.from(
    { length: parts },
    (_, at) => `<sitemap><loc>${xmlText(`${origin}/sitemap-${at + 1}.xml`)}</loc></sitemap>\n`,
  )
  yield Buffer.from(
    `${start}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</sitemapindex>\n`,
  )
}

async function* urlset(frame: Frame, part: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${start}<urlset ${namespaces}>\n`)
  if (part === 0) yield Buffer.from(await topAddresses(frame))
  let after: string | undefined
  for (let left = perPart; left > 0; left -= batch) {
    const rows = await readRows(frame, after, after === undefined ? part * perPart : 0, Math.min(batch, left))
    if (rows.length > 0) yield Buffer.from(await addressesOf(frame, rows))
    if (rows.length < Math.min(batch, left)) break
    after = rows.at(-1)?.id
  }
  yield Buffer.from('</urlset>\n')
}

const columns = ['id', 'path', 'updated_at', 'seo', 'cover', 'locale', 'translation_of'] as const

/** Reads public entries in the order of their ids, after a given one. */
function readRows({ site }: Frame, after: string | undefined, offset: number, limit: number) {
  return site.store.read
    .selectFrom('entry')
    .select(columns)
    .where((eb) => publicOnly(eb, site.clock.now()))
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

async function addressesOf(frame: Frame, rows: readonly Row[]): Promise<string> {
  const { site, origin } = frame
  const covers = rows.flatMap(({ cover }) => (cover === null ? [] : [cover]))
  const [images, groups, facts] = await Promise.all([
    findThemeImages(site.store.read, covers, { origin, now: site.clock.now() }),
    groupsOf(frame, rows),
    siteFacts(frame),
  ])
  return rows
    .map((row) => {
      const { noindex, canonical } = toSeo(row.seo)
      // An entry with a canonical address elsewhere is not listed, and an entry that is a home page is listed with the home pages.
      if (noindex || canonical !== null || row.path === null || addressIn(facts, row.path) !== row.path) return ''
      const image = row.cover === null ? undefined : images.get(row.cover)
      return addressOf(urlOf(origin, row.path), row.updated_at, image?.url, groups.get(row.translation_of ?? row.id) ?? [])
    })
    .join('')
}

interface Alternate {
  readonly language: string
  readonly url: string
}

/** The public translations of entries, by group. A site with one language has none. */
async function groupsOf({ site, origin }: Frame, rows: readonly Row[]): Promise<ReadonlyMap<string, readonly Alternate[]>> {
  const languages = languagesOf(site.settings.values)
  const groups = new Map<string, Alternate[]>()
  if (languages.further.length === 0) return groups
  const ids = rows.map((row) => row.translation_of ?? row.id)
  const members = site.store.read
    .selectFrom('entry')
    .select(['id', 'path', 'locale', 'translation_of'])
    .where((eb) => publicOnly(eb, site.clock.now()))
  // Two queries, because each uses its own index.
  const found = [
    ...(await members.where('id', 'in', ids).where('translation_of', 'is', null).execute()),
    ...(await members.where('translation_of', 'in', ids).execute()),
  ]
  for (const { id, path: at, locale, translation_of: group } of found) {
    const alternate = { language: languageOf(languages, locale), url: urlOf(origin, at ?? '/') }
    const key = group ?? id
    groups.set(key, [...(groups.get(key) ?? []), alternate])
  }
  return groups
}

function addressOf(
  url: string,
  updated: number | undefined,
  image: string | undefined,
  alternates: readonly Alternate[],
): string {
  const links =
    alternates.length < 2
      ? ''
      : alternates
          .map((one) => `<xhtml:link rel="alternate" hreflang="${xmlText(one.language)}" href="${xmlText(one.url)}"/>`)
          .join('')
  const changed = updated === undefined ? '' : xmlElement('lastmod', new Date(updated).toISOString())
  const picture = image === undefined ? '' : `<image:image>${xmlElement('image:loc', image)}</image:image>`
  return `<url>${xmlElement('loc', url)}${changed}${links}${picture}</url>\n`
}

/** The home pages, and the archives of terms and authors that have entries. */
async function topAddresses({ site, origin }: Frame): Promise<string> {
  const homes = listHomes(site, null, origin)
  const addresses = homes.length === 0 ? [`${origin}/`] : homes.map(({ url }) => url)
  const terms = await site.store.read
    .selectFrom('term')
    .select('ref')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('entry_term')
          .innerJoin('entry', 'entry.id', 'entry_term.entry_id')
          .select(sql`1`.as('one'))
          .whereRef('entry_term.term_id', '=', 'term.id')
          .where((inner) => publicOnly(inner as never, site.clock.now())),
      ),
    )
    .orderBy('ref')
    .limit(maxArchives - 1000)
    .execute()
  const authors = await publicProfiles(site.store.read).orderBy('slug').limit(500).execute()
  const archives = [...terms.map(({ ref }) => `/${ref}`), ...authors.map(({ slug }) => `/author/${slug}`)]
  return [
    ...addresses.map((url) => addressOf(url, undefined, undefined, homes)),
    ...archives.map((at) => addressOf(urlOf(origin, at), undefined, undefined, [])),
  ].join('')
}
