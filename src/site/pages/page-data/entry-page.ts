// The page of one entry as data. The caller has checked that the visitor may see the entry.

import { findCard } from '../../../actions/media/page-media.ts'
import { shownEntry } from '../../../actions/content/shown-entry.ts'
import { expandEmbeds } from '../../../content/markdown/embeds.ts'
import type { EntryType } from '../../../content/types/entry-types.ts'
import { toSeo } from '../../../content/types/field-values.ts'
import { branchOf, languageOf, languagesOf } from '../../../content/languages/languages.ts'
import type { EntryRow } from '../../../store/core/schema.ts'
import type { ThemeEntry, ThemeImage, ThemeLink, ThemePage, ThemeSummary } from '../../../themes/contract.ts'
import { commentFeedLinks } from '../../comments/comment-feed-links.ts'
import { webmentionLinks } from '../../comments/webmention-address.ts'
import { commentsOf } from '../../comments/comments-data.ts'
import { type Alternate, listAlternates } from '../alternates.ts'
import type { Frame } from '../frame.ts'
import { aroundOf, nothingAround } from './around.ts'
import { authorsOf } from './author.ts'
import { crumbsOf } from './crumbs.ts'
import { entryOf } from './entry.ts'
import { fieldsOf } from './fields.ts'
import { fillForms } from './forms.ts'
import { fillLatest } from './latest.ts'
import { imagesOf } from './images.ts'
import { fillNewsletter } from './newsletter.ts'
import { feedLinks, iconLinks } from './feed-links.ts'
import { type Card, headOf } from './head.ts'
import { pageOf, translationsOf } from './page.ts'
import { siteFacts } from './site-facts.ts'
import { siteObjects } from './structured.ts'

export interface MadePage {
  readonly page: ThemePage
  /** False if a plugin failed and was skipped. Such a page is not cached. */
  readonly whole: boolean
}

/** The differences between this page and the public page at the entry's path. */
export interface ShownAs {
  /** The latest posts, if the entry is the home page. */
  readonly home?: readonly ThemeSummary[] | undefined
  /** The home pages of all languages, if the entry is one of them. */
  readonly homes?: readonly Alternate[] | undefined
  /** True if the entry is not public. */
  readonly preview?: boolean
  /** The entry at another state. The differences from it are marked in the text. */
  readonly since?: EntryRow | undefined
}

/**  * @throws Failure `unprocessable` if the entry's text can't be rendered in time */
export async function entryPageData(frame: Frame, row: EntryRow, shown: ShownAs = {}): Promise<MadePage> {
  const { site, origin } = frame
  const { html: text, excerpt, whole } = await shownEntry(site, row, origin)
  const marked = (shown.since && (await markedText(frame, shown.since, text))) ?? text
  const seo = toSeo(row.seo)
  const languages = languagesOf(site.settings.values)
  const language = languageOf(languages, row.locale)
  const { html: listed, whole: isFilled } = await fillLatest(frame, marked, { locale: row.locale, id: row.id, language })
  const at = { path: row.path ?? '/', language: language || 'en' }
  const html = await fillNewsletter(frame, await fillForms(frame, listed, at), at)
  const alternates = shown.homes ?? (await listAlternates(site, row, origin))
  const given = seo.description ?? row.excerpt
  const description = given === null ? excerpt : await site.excerpts.given(given, language)
  const type = site.types.current.of(row.type)
  const preview = shown.preview === true
  const [authors, images, fields, around, crumbs, comments] = await Promise.all([
    authorsOf(frame, [row.author_id]),
    imagesOf(frame, [row.cover], preview),
    fieldsOf(frame, row.fields, type, language),
    preview ? nothingAround : aroundOf(frame, row, language),
    crumbsOf(frame, row.path ?? '/', row.locale, type),
    preview || shown.home ? null : commentsOf(frame, row),
  ])
  const cardOf = seo.image ?? row.cover
  const { logo, card: siteCard } = await siteFacts(frame)
  const own = cardOf === null ? undefined : await findCard(site.store.read, cardOf, { origin, now: site.clock.now() })
  const card = own ?? siteCard ?? undefined
  const author = authors.get(row.author_id ?? '') ?? null
  const image = images.get(row.cover ?? '') ?? null
  const parts = { excerpt: description, author, image, fields, around, comments }
  const entry = entryOf(frame, row, parts, expandEmbeds(html, language), preview)
  const canonical = seo.canonical ?? origin + (row.path ?? '/')
  const indexed = !seo.noindex && row.password_hash === null && frame.preview === undefined && shown.preview !== true
  const facts: Facts = {
    type,
    title: row.title,
    canonical,
    description,
    language,
    crumbs,
    entry,
    card,
    logo,
  }
  const page = pageOf(shown.home ? 'home' : type.dated ? 'article' : 'page', {
    title: row.title,
    search_title: seo.title,
    url: indexed ? canonical : null,
    description: description === '' ? null : description,
    head: headOf({
      title: seo.title ?? row.title,
      siteTitle: site.settings.values.site_title,
      description,
      canonical: indexed ? canonical : undefined,
      kind: type.dated && !shown.home ? 'article' : 'website',
      alternates,
      card,
      times: type.dated ? { published: entry.date, updated: entry.updated } : undefined,
      links: [
        ...feedLinks(frame, branchOf(languages, row.locale)),
        ...commentFeedLinks(frame, comments === null ? undefined : row),
        ...(comments === null ? [] : webmentionLinks(frame, row)),
        ...iconLinks(frame),
      ],
      structured: structuredData(frame, facts),
    }),
    crumbs,
    language: language || 'en',
    entry,
    entries: shown.home ?? [],
    translations: translationsOf(alternates),
  })
  return { page, whole: whole && isFilled }
}

/** The text with the differences from another state of the entry; undefined if they take too long to find. */
async function markedText({ site, origin }: Frame, since: EntryRow, html: string): Promise<string | undefined> {
  const earlier = await shownEntry(site, since, origin)
  return site.renderer.markChanges(earlier.html, html)
}

interface Facts {
  readonly type: EntryType
  readonly title: string
  readonly canonical: string
  readonly description: string
  readonly language: string
  readonly crumbs: readonly ThemeLink[]
  readonly entry: ThemeEntry
  readonly card: Card | undefined
  readonly logo: ThemeImage | null
}

/** The entry as schema.org describes it (JSON-LD). */
function structuredData(frame: Frame, facts: Facts): Readonly<Record<string, unknown>> {
  const { type, title, canonical, description, language, entry, card, crumbs, logo } = facts
  const { author, date, updated, dated } = entry
  const main = {
    '@type': type.schemaOrg.type,
    [type.schemaOrg.title]: title,
    url: canonical,
    description,
    inLanguage: language,
    image: card?.url,
    datePublished: date ?? undefined,
    dateModified: dated ? updated : undefined,
    author: author ? { '@type': 'Person', name: author.name, url: author.url ?? undefined } : undefined,
    isPartOf: { '@id': `${frame.origin}/#website` },
    publisher: dated ? { '@id': `${frame.origin}/#organization` } : undefined,
  }
  return siteObjects(frame, { crumbs, title, url: canonical, logo }, [main])
}
