// The page of one entry as data. The caller has checked that the visitor may see the entry.

import { shownEntry } from '../../actions/shown-entry.ts'
import { expandEmbeds } from '../../content/embeds.ts'
import { type EntryType, entryTypeOf } from '../../content/entry-types.ts'
import { toSeo } from '../../content/field-values.ts'
import type { EntryRow } from '../../store/schema.ts'
import type { ThemePage, ThemeSummary } from '../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { authorOf } from './author.ts'
import { crumbsOf } from './crumbs.ts'
import { entryOf } from './entry.ts'
import { headOf } from './head.ts'
import { pageOf } from './page.ts'

export interface MadePage {
  readonly page: ThemePage
  /** False where a plugin failed and was skipped. Such a page is not kept. */
  readonly whole: boolean
}

/**
 * @param home the latest posts, where the entry is the home page
 * @throws Failure `unprocessable` where the entry's text can't be rendered in time
 */
export async function entryPageData(frame: Frame, row: EntryRow, home?: readonly ThemeSummary[]): Promise<MadePage> {
  const { site, origin } = frame
  const { html, excerpt, whole } = await shownEntry(site, row, origin)
  const seo = toSeo(row.seo)
  const language = row.locale ?? site.settings.values.language
  const given = seo.description ?? row.excerpt
  const description = given === null ? excerpt : await site.excerpts.given(given, language)
  const author = await authorOf(frame, row.author_id)
  const entry = entryOf(frame, row, { excerpt: description, author }, expandEmbeds(html, language))
  const canonical = seo.canonical ?? origin + (row.path ?? '/')
  const indexed = !seo.noindex && frame.preview === undefined
  const type = entryTypeOf(row.type)
  const facts: Facts = { type, title: row.title, canonical, description, published: entry.date, author: author?.name }
  const page = pageOf(home ? 'home' : type.dated ? 'article' : 'page', {
    title: row.title,
    url: indexed ? canonical : null,
    description: description === '' ? null : description,
    head: headOf({
      title: row.title,
      siteTitle: site.settings.values.site_title,
      description,
      canonical: indexed ? canonical : undefined,
      kind: 'article',
      structured: structuredData(frame, facts),
    }),
    crumbs: await crumbsOf(frame, row.path ?? '/'),
    language: language || 'en',
    entry,
    entries: home ?? [],
  })
  return { page, whole }
}

interface Facts {
  readonly type: EntryType
  readonly title: string
  readonly canonical: string
  readonly description: string
  readonly published: string | null
  readonly author: string | undefined
}

/** The entry as schema.org describes it (JSON-LD). */
function structuredData({ site, origin }: Frame, facts: Facts): Readonly<Record<string, unknown>> {
  const { schemaOrg } = facts.type
  const { site_title: name, language } = site.settings.values
  return {
    '@context': 'https://schema.org',
    '@type': schemaOrg.type,
    [schemaOrg.title]: facts.title,
    url: facts.canonical,
    description: facts.description,
    inLanguage: language,
    datePublished: facts.published ?? undefined,
    author: facts.author ? { '@type': 'Person', name: facts.author } : undefined,
    isPartOf: { '@type': 'WebSite', name, url: `${origin}/` },
  }
}
