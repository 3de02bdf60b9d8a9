// The section `latest`: entries of a type, in place of the empty element that the kept rendering of a text has. The list is made
// with the page, so it is as new as the page.

import { escapeHtml } from '../../../content/markdown/escape-html.ts'
import { branchOf, languagesOf } from '../../../content/languages/languages.ts'
import { typesThat } from '../../../content/types/entry-types.ts'
import { findTerm } from '../../../content/terms/terms.ts'
import { usualSort } from '../../../content/types/list-rules.ts'
import type { ThemeImage, ThemeSummary } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { listOfType, listOrdered } from '../../lists/ordered-entries.ts'
import type { ListedPost } from '../../lists/public-entries.ts'
import { detailMarkup } from './detail-markup.ts'
import { summariesOf } from './summaries.ts'

const placeholder = /<div class="section-latest" title="([^"]*)"><\/div>/g

/** The most lists of a page, and the most entries of each. */
const maxLists = 10
const maxEntries = 24

/** The language of the entry that has the section, and its id, which no list shows. */
interface Place {
  readonly locale: string | null
  readonly id: string
}

/**
 * Fills in the lists of a text.
 * @param html cleaned HTML
 * @param at the entry, and the language of its page
 */
export async function fillLatest(
  frame: Frame,
  html: string,
  at: Place & { readonly language: string },
): Promise<{ readonly html: string; readonly whole: boolean }> {
  const places = [...html.matchAll(placeholder)]
  if (places.length === 0) return { html, whole: true }
  const lists = await Promise.all(
    places.slice(0, maxLists).map(async ([, given = '']) => {
      const rows = await rowsOf(frame, new URLSearchParams(given.replaceAll('&amp;', '&')), at)
      return summariesOf(frame, rows, at.language)
    }),
  )
  const facts = { language: at.language, timeZone: frame.site.settings.values.time_zone }
  let next = 0
  const filled = html.replace(placeholder, () => cardsOf(lists[next++]?.entries ?? [], facts))
  return { html: filled, whole: lists.every(({ whole }) => whole) }
}

/** Returns the entries that a section asks for. Those of a single type come by the rules of the type, if the section has none. */
async function rowsOf({ site }: Frame, asked: URLSearchParams, at: Place): Promise<readonly ListedPost[]> {
  const types = asked.has('type') ? asked.getAll('type') : typesThat('listed')
  const [type = '', ...others] = types
  const ref = asked.get('term')
  const term = ref === null ? undefined : await findTerm(site.store.read, ref)
  if (ref !== null && !term) return []
  const branch = branchOf(languagesOf(site.settings.values), at.locale)
  const ruled = listOfType(site.types.current.of(type), branch)
  const [sort, upcoming] = [asked.get('sort'), asked.get('upcoming')]
  const rules = sort === null && upcoming === null && others.length === 0 ? ruled : { sort: sort ?? usualSort, past: null }
  const past = upcoming === null ? rules.past : upcoming.replace(/^fields\./, '')
  const list = {
    which: 'open',
    types,
    branch,
    sort: rules.sort,
    past,
    onlyDated: upcoming !== null,
    ...(term && { term: term.id }),
  } as const
  const limit = Math.min(maxEntries, Math.max(1, Math.floor(Number(asked.get('limit'))) || 3))
  const rows = await listOrdered(site, list, limit, 0)
  return rows.filter(({ id }) => id !== at.id).slice(0, limit)
}

type DetailFacts = Parameters<typeof detailMarkup>[1]

const cardsOf = (entries: readonly ThemeSummary[], facts: DetailFacts): string =>
  `<div class="section-items">\n${entries.map((entry) => cardOf(entry, facts)).join('')}</div>`

const cardOf = ({ title, url, excerpt, image, shown }: ThemeSummary, facts: DetailFacts): string =>
  `<div class="section-item">\n${image ? pictureOf(image) : ''}<h3><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></h3>\n` +
  `${detailMarkup(shown ?? [], facts)}${excerpt === '' ? '' : `<p>${escapeHtml(excerpt)}</p>\n`}</div>\n`

function pictureOf({ url, alt, width, height, variants }: ThemeImage): string {
  const small = variants.find((one) => one.width >= 480) ?? variants.at(-1)
  return `<figure class="section-picture"><img src="${escapeHtml(small?.url ?? url)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy"></figure>\n`
}
