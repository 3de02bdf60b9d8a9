// A page in words: its facts, and what is seen on it in the order of the page, one line for each part.

import type { IOptions } from 'sanitize-html'
import { textOfHtml } from '../../content/markdown/plain-text.ts'

export interface OutlineFacts {
  readonly title?: string
  readonly language?: string
  readonly description?: string
  readonly canonical?: string
  readonly robots?: string
}

interface Part {
  readonly at: number
  readonly line: string
}

interface Seen {
  readonly tag: string
  readonly attribs: Readonly<Record<string, string>>
  readonly text: string
}

const wordsOf = (text: string, most = 120): string => text.replace(/\s+/g, ' ').trim().slice(0, most)

const sizeOf = ({ width, height }: Seen['attribs']): string => (width && height ? ` ${width}x${height}` : '')
const heading = ({ tag, text }: Seen): string => `${tag} ${wordsOf(text)}`
const control = ({ tag, attribs, text }: Seen): string =>
  [tag, attribs['type'], attribs['name'], attribs['action'], wordsOf(tag === 'button' ? text : '')].filter(Boolean).join(' ')

/** The line of each kind of element that the outline names. */
const lines: Readonly<Record<string, (seen: Seen) => string | undefined>> = {
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, heading])),
  ...Object.fromEntries(['form', 'input', 'button', 'select', 'textarea'].map((tag) => [tag, control])),
  // Links within the page, such as those of headings, say nothing that the headings don't.
  a: ({ attribs: { href = '#', ...more }, text }) =>
    href.startsWith('#') ? undefined : `a ${href}: ${wordsOf(text) || (more['aria-label'] ?? '(no text)')}`,
  img: ({ attribs }) =>
    `img ${attribs['src'] ?? ''}${sizeOf(attribs)}: ${attribs['alt'] === undefined ? '(no alt)' : attribs['alt'] || '(decoration)'}`,
  iframe: ({ attribs }) => `iframe ${attribs['src'] ?? ''}`,
  video: ({ attribs }) => `video ${attribs['src'] ?? ''}`,
  table: () => 'table',
}

/** Facts in the head: the element, and the fact that it tells. */
const facts: Readonly<Record<string, (seen: Seen) => OutlineFacts>> = {
  html: ({ attribs }) => (attribs['lang'] === undefined ? {} : { language: attribs['lang'] }),
  title: ({ text }) => ({ title: wordsOf(text, 300) }),
  meta: ({ attribs: { name, content = '' } }) =>
    name === 'description' ? { description: wordsOf(content, 400) } : name === 'robots' ? { robots: content } : {},
  link: ({ attribs: { rel, href } }) => (rel === 'canonical' && href !== undefined ? { canonical: href } : {}),
}

/**
 * The lines and facts of a page. Pictures and links come in the order of the page.
 * @param origin of the site, which addresses of its own leave out
 */
export async function outlineOf(
  page: string,
  origin: string,
): Promise<{ readonly facts: OutlineFacts; readonly outline: readonly string[] }> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  const parts: Part[] = []
  let told: OutlineFacts = {}
  const options: IOptions = {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    textFilter: (text, tag) => (tag === 'script' || tag === 'style' ? '' : text),
    exclusiveFilter(frame) {
      const fact = frame.tag === 'title' && told.title !== undefined ? undefined : facts[frame.tag]
      if (fact) told = { ...told, ...fact(frame) }
      const line = lines[frame.tag]?.(frame)
      if (line) parts.push({ at: frame.tagPosition, line: line.replace(` ${origin}/`, ' /').trimEnd() })
      return false
    },
  }
  sanitizeHtml(page, options)
  return { facts: told, outline: parts.toSorted((one, other) => one.at - other.at).map(({ line }) => line) }
}

/** The words of a page, one line for each block. */
export async function textOfPage(page: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  const allowedTags = [...sanitizeHtml.defaults.allowedTags, 'img']
  const nonTextTags = ['script', 'style', 'textarea', 'option', 'noscript', 'title']
  return textOfHtml(sanitizeHtml(page, { allowedTags, allowedAttributes: { img: ['alt'] }, nonTextTags }))
}
