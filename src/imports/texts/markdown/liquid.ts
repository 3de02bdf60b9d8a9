// Liquid and its relatives: Jekyll, Eleventy with Nunjucks, and Zola. The tags that stand for a text or an address are read, the
// others stay as their source.

import { withoutAttributeLists } from './attribute-lists.ts'
import { codeMarkdown, type Dialect, type DialectContext, resolved } from './dialect.ts'
import { replacePairs, replaceTags, tagValues } from './template-tags.ts'
import { vimeoPage, youtubePage } from './video-pages.ts'

const ends: Readonly<Record<string, RegExp>> = {
  raw: /\{%-?\s{0,9}endraw\s{0,9}-?%\}/g,
  verbatim: /\{%-?\s{0,9}endverbatim\s{0,9}-?%\}/g,
  comment: /\{%-?\s{0,9}endcomment\s{0,9}-?%\}/g,
  highlight: /\{%-?\s{0,9}endhighlight\s{0,9}-?%\}/g,
}

const tagName = (name: string): string => `{% ${name} %}`

const readBlocks = (text: string, { masked, state }: DialectContext): string => {
  const shown = replacePairs(text, /\{%-?\s{0,9}(raw|verbatim)\s{0,9}-?%\}/g, ends, (_open, content) =>
    content.replace(/\{\{|\}\}|\{%|%\}/g, (brackets) => masked.keep(brackets)),
  )
  const said = replacePairs(shown, /\{%-?\s{0,9}(comment)\s{0,9}-?%\}/g, ends, () => '')
  return replacePairs(said, /\{%-?\s{0,9}(highlight)\s([^%{}]{0,300})%\}/g, ends, ([, name = '', inner = ''], code) => {
    state.count('template', tagName(name))
    return masked.keep(codeMarkdown(code, tagValues(inner).get('0') ?? ''))
  })
}

type TagWriter = (inner: string, context: DialectContext) => string | undefined

const pathOf = (inner: string): string => inner.trim().replace(/^["']|["']$/g, '')

const tagWriters: Readonly<Record<string, TagWriter>> = {
  post_url: (inner, context) => (pathOf(inner) === '' ? undefined : resolved(pathOf(inner), context)),
  link: (inner, context) => (pathOf(inner) === '' ? undefined : resolved(pathOf(inner), context)),
}

/** The value of an expression that is an address or the title; undefined for any other. */
function outputOf(whole: string, { state, masked }: DialectContext): string | undefined {
  const inner = whole.slice(2, -2).replace(/^-|-$/g, '').trim()
  if (/^site\.(?:baseurl|url)(?:\s*\|.{0,100})?$/.test(inner)) return ''
  if (inner === 'page.title' || inner === 'title') return masked.keep(state.answers.title)
  const [, address] =
    /^["']([^"'{}]{1,500})["']\s*\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.(?:baseurl|url))\b[^{}]{0,100}$/.exec(
      inner,
    ) ?? []
  if (address !== undefined) return address
  const [, name, values = ''] = /^(youtube|vimeo)\s*\(([^()]{0,300})\)$/.exec(inner) ?? []
  const id = tagValues(values).get('id') ?? ''
  return name === 'youtube' ? youtubePage(id) : name === 'vimeo' ? vimeoPage(id) : undefined
}

function readTags(text: string, context: DialectContext): string {
  const tagged = replaceTags(text, { open: '{%', close: '%}' }, ({ name, inner, whole }) => {
    if (!name.startsWith('end')) context.state.count('template', tagName(name))
    const written = Object.hasOwn(tagWriters, name) ? tagWriters[name]?.(inner, context) : undefined
    if (written !== undefined) return written
    if (!name.startsWith('end')) context.state.lose('template', tagName(name), 'Tags of templates stay as their source.')
    return context.masked.keep(whole)
  })
  return replaceTags(tagged, { open: '{{', close: '}}' }, ({ name, whole }) => {
    context.state.count('template', `{{ ${name} }}`)
    const written = outputOf(whole, context)
    if (written !== undefined) return written
    context.state.lose('template', `{{ ${name} }}`, 'Tags of templates stay as their source.')
    return context.masked.keep(whole)
  })
}

export const jekyll: Dialect = {
  before: readBlocks,
  after: (text, context) => withoutAttributeLists(readTags(text, context).replace(/\{::[^{}\n]{0,300}\}/g, ''), 'kramdown'),
}

export const eleventy: Dialect = { before: readBlocks, after: readTags }
export const zola: Dialect = { before: readBlocks, after: readTags }
