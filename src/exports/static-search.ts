// The search of a static site: an index of its pages, and a script that reads it. Its form needs the script; without it, nothing is
// found.

import { Parser } from 'htmlparser2'
import { inPieces } from '../base/bytes-of.ts'
import { PackedMap } from '../base/packed-map.ts'
import { escapeHtml } from '../content/markdown/escape-html.ts'
import { textOfHtml } from '../content/markdown/plain-text.ts'
import type { ExportFile } from './export-file.ts'

/** A page as the search finds it. */
export interface FoundPage {
  readonly path: string
  readonly title: string
  readonly text: string
}

/**
 * The characters of all texts together, so that a visitor can load the index. Each page keeps `minTextChars`, so a site of more
 * than 20,000 pages exceeds it.
 */
const maxIndexChars = 2_000_000
const maxTextChars = 4000
const minTextChars = 100

/** Reads the title and the text of an entry's page; undefined for a page that asks search engines not to list it. */
export function foundPage(path: string, html: string): FoundPage | undefined {
  let title = ''
  let isHidden = false
  const parser = new Parser({
    onopentag(name, { name: meta, property, content = '' }) {
      if (name !== 'meta') return
      // The element `title` also has the name of the site.
      if (property === 'og:title') title = content
      if (meta === 'robots' && content.includes('noindex')) isHidden = true
    },
  })
  const head = html.search(/<body[\s>]/i)
  parser.end(head < 0 ? html : html.slice(0, head))
  if (isHidden) return undefined
  const [begin, end] = [html.indexOf('<main'), html.lastIndexOf('</main>')]
  const main = begin < 0 || end < begin ? html : html.slice(begin, end)
  const own = besides.reduce((text, [open, close]) => without(text, open, close), main)
  return { path, title: title.trim(), text: textOfHtml(own).replace(/\s+/g, ' ').trim().slice(0, maxTextChars) }
}

/** The parts of a page that tell of other pages. */
const besides = [
  ['<nav', '</nav>'],
  ['<aside', '</aside>'],
  ['<section class="related', '</section>'],
] as const

function without(html: string, open: string, close: string): string {
  const [first = '', ...others] = html.split(open)
  return (
    first + others.map((part) => (part.includes(close) ? part.slice(part.indexOf(close) + close.length) : open + part)).join('')
  )
}

/**
 * The element that loads the script, for a page of the search.
 * @param base the base path of the site
 * @param branch the path of the further language in which the page searches, or an empty text
 * @param none the sentence for a search that finds nothing, with `{query}`
 */
export const searchScriptTag = (base: string, branch: string, none: string): string =>
  `<script src="${base}/search.js" data-below="${base}${branch}" data-none="${escapeHtml(none)}" defer></script>\n`

/** The pages that the search finds, with as much of their texts as the index may have. */
export interface PageIndex {
  add(page: FoundPage): void
  pages(): Iterable<FoundPage>
}

export function createIndex(): PageIndex {
  let kept = new PackedMap<FoundPage>()
  let chars = 0
  const charsOfEach = () => Math.max(minTextChars, Math.floor(maxIndexChars / Math.max(1, kept.size)))
  function* pages(): Iterable<FoundPage> {
    const each = charsOfEach()
    for (const page of kept.values()) yield { ...page, text: page.text.slice(0, each) }
  }
  return {
    add(page) {
      kept.set(page.path, page)
      chars += page.text.length
      // The more pages there are, the less of each text is in the index.
      if (chars < 2 * Math.max(maxIndexChars, minTextChars * kept.size)) return
      const cut = new PackedMap<FoundPage>()
      chars = 0
      for (const one of pages()) {
        cut.set(one.path, one)
        chars += one.text.length
      }
      kept = cut
    },
    pages,
  }
}

/** Yields the index and the script. */
export function* searchFiles(index: PageIndex, base: string): Iterable<ExportFile> {
  yield { path: 'search.json', content: { pieces: inPieces(indexLines(index, base)) } }
  yield { path: 'search.js', content: { text: script.replace('SEARCH_INDEX', JSON.stringify(`${base}/search.json`)) } }
}

function* indexLines(index: PageIndex, base: string): Iterable<string> {
  let before = '['
  for (const { path, title, text } of index.pages()) {
    yield `${before}${JSON.stringify({ url: base + path, title, text })}`
    before = ','
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** Runs in the visitor's browser. It makes nodes of texts, never markup of them. */
const script = `const { below, none } = document.currentScript.dataset
;(async () => {
  const query = (new URLSearchParams(location.search).get('q') || '').trim()
  const words = query.toLowerCase().split(/\\s+/).filter(Boolean)
  const main = document.querySelector('main') || document.body
  const field = main.querySelector('input[name=q]')
  if (field) field.value = query
  if (words.length === 0) return
  const found = document.createElement('div')
  found.setAttribute('role', 'status')
  main.append(found)
  const index = fetch(SEARCH_INDEX)
  const pages = await index.then((reply) => reply.json())
  const scored = pages
    .filter(({ url }) => (url + '/').startsWith(below + '/'))
    .map((page) => ({ page, title: page.title.toLowerCase(), text: page.text.toLowerCase() }))
    .filter(({ title, text }) => words.every((word) => title.includes(word) || text.includes(word)))
    .map((one) => ({ ...one, score: words.filter((word) => one.title.includes(word)).length }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 50)
  const list = document.createElement('ol')
  for (const { page, text } of scored) {
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.href = page.url
    link.textContent = page.title
    const at = Math.max(0, text.indexOf(words[0]) - 60)
    const beginning = document.createElement('p')
    beginning.textContent = (at > 0 ? '\\u2026' : '') + page.text.slice(at, at + 200)
    item.append(link, beginning)
    list.append(item)
  }
  found.append(scored.length === 0 ? none.replace('{query}', () => query) : list)
})()
`
