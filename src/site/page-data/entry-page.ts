// The page of one entry as data. The caller has checked that the visitor may see the entry.

import { shownEntry } from '../../actions/shown-entry.ts'
import { expandEmbeds } from '../../content/embeds.ts'
import type { EntryType } from '../../content/entry-types.ts'
import { toSeo } from '../../content/field-values.ts'
import { languageOf, languagesOf } from '../../content/languages.ts'
import type { EntryRow } from '../../store/schema.ts'
import type { ThemePage, ThemeSummary } from '../../themes/contract.ts'
import { type Alternate, listAlternates } from '../alternates.ts'
import type { Frame } from '../frame.ts'
import { authorOf } from './author.ts'
import { crumbsOf } from './crumbs.ts'
import { entryOf } from './entry.ts'
import { headOf } from './head.ts'
import { pageOf, translationsOf } from './page.ts'

export interface MadePage {
  readonly page: ThemePage
  /** False where a plugin failed and was skipped. Such a page is not kept. */
  readonly whole: boolean
}

/** How an entry is shown, where it isn't simply the public page at its path. */
export interface ShownAs {
  /** The latest posts, where the entry is the home page. */
  readonly home?: readonly ThemeSummary[] | undefined
  /** The home pages of all languages, where the entry is one of them. */
  readonly homes?: readonly Alternate[] | undefined
  /** Whether the entry is not public. */
  readonly preview?: boolean
}

/**
 * @throws Failure `unprocessable` where the entry's text can't be rendered in time
 */
export async function entryPageData(frame: Frame, row: EntryRow, shown: ShownAs = {}): Promise<MadePage> {
  const { site, origin } = frame
  const { html, excerpt, whole } = await shownEntry(site, row, origin)
  const seo = toSeo(row.seo)
  const language = languageOf(languagesOf(site.settings.values), row.locale)
  const alternates = shown.homes ?? (await listAlternates(site, row, origin))
  const given = seo.description ?? row.excerpt
  const description = given === null ? excerpt : await site.excerpts.given(given, language)
  const author = await authorOf(frame, row.author_id)
  const entry = entryOf(frame, row, { excerpt: description, author }, expandEmbeds(html, language), shown.preview)
  const canonical = seo.canonical ?? origin + (row.path ?? '/')
  const indexed = !seo.noindex && frame.preview === undefined && shown.preview !== true
  const type = site.types.current.of(row.type)
  const facts: Facts = { type, title: row.title, canonical, description, language, published: entry.date, author: author?.name }
  const page = pageOf(shown.home ? 'home' : type.dated ? 'article' : 'page', {
    title: row.title,
    url: indexed ? canonical : null,
    description: description === '' ? null : description,
    head: headOf({
      title: row.title,
      siteTitle: site.settings.values.site_title,
      description,
      canonical: indexed ? canonical : undefined,
      kind: 'article',
      alternates,
      structured: structuredData(frame, facts),
    }),
    crumbs: await crumbsOf(frame, row.path ?? '/', row.locale),
    language: language || 'en',
    entry,
    entries: shown.home ?? [],
    translations: translationsOf(alternates),
  })
  return { page, whole }
}

interface Facts {
  readonly type: EntryType
  readonly title: string
  readonly canonical: string
  readonly description: string
  readonly language: string
  readonly published: string | null
  readonly author: string | undefined
}

/** The entry as schema.org describes it (JSON-LD). */
function structuredData({ site, origin }: Frame, facts: Facts): Readonly<Record<string, unknown>> {
  const { schemaOrg } = facts.type
  const { site_title: name } = site.settings.values
  return {
    '@context': 'https://schema.org',
    '@type': schemaOrg.type,
    [schemaOrg.title]: facts.title,
    url: facts.canonical,
    description: facts.description,
    inLanguage: facts.language,
    datePublished: facts.published ?? undefined,
    author: facts.author ? { '@type': 'Person', name: facts.author } : undefined,
    isPartOf: { '@type': 'WebSite', name, url: `${origin}/` },
  }
}
