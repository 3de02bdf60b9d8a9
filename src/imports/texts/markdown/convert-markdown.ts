// A text that is Markdown of another system. Its own constructs become ours; the rest stays as it was written.

import { maxExcerptChars } from '../../../content/entries/entry-text.ts'
import { cutText } from '../../../base/cut-text.ts'
import type { ConvertedText, ImportText } from '../../text.ts'
import type { TextState } from '../text-state.ts'
import { astro } from './astro.ts'
import type { Dialect } from './dialect.ts'
import { hugo } from './hugo.ts'
import { eleventy, jekyll, zola } from './liquid.ts'
import { placeHeadings } from './markdown-headings.ts'
import { withoutActiveHtml } from './markdown-html.ts'
import { replaceAddresses } from './markdown-links.ts'
import { MaskedText } from './masked-text.ts'
import { obsidian } from './obsidian.ts'

type DialectName = Extract<ImportText, { format: 'markdown' }>['dialect']

/** Stands for the border of the summary. */
const borderMark = '\ue0f2'
const border = /^(?:#{1,6} )?[ \t]{0,9}<!--\s{0,9}more\b[^<>]{0,100}-->[ \t]*$|<!--\s{0,9}more\s{0,9}-->/m

interface MarkdownSource {
  readonly source: string
  readonly dialect: DialectName
}

export function convertMarkdown({ source, dialect }: MarkdownSource, state: TextState): ConvertedText {
  const [before = '', ...after] = converted(source, dialect, state).split(borderMark)
  if (after.length === 0) return { markdown: trimmed(before), ...state.told() }
  const excerpt = wordsOf(before)
  const parts = [before, ...after].map((part) => part.trim()).filter((part) => part !== '')
  const markdown = parts.join('\n\n')
  return { markdown, ...(excerpt !== '' && { excerpt: cutText(excerpt, maxExcerptChars - 1) }), ...state.told() }
}

/** The paragraphs of a text that a summary can show. */
const wordsOf = (text: string): string =>
  text
    .split(/\n[ \t]*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '' && !/^(?:#|```|~~~|<|\||:::|\[?!\[|\{[{%]|https?:\/\/\S+$)/.test(block))
    .join('\n\n')

const trimmed = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()

function converted(source: string, dialect: DialectName, state: TextState): string {
  const masked = new MaskedText()
  const context = { state, masked }
  const { before, after, hasSections } = dialects[dialect]
  const plain = MaskedText.plain(source).replaceAll(borderMark, '')
  const bare = masked.withoutCode(before?.(plain, context) ?? plain).replace(border, borderMark)
  const placed = placeHeadings(withoutActiveHtml(bare, state), state.answers.title)
  const linked = replaceAddresses(after?.(placed, context) ?? placed, context)
  const tidy = linked.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n')
  return masked.restore(hasSections ? tidy : tidy.replace(/^(?=:{3})/gm, '\\'))
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  plain: { hasSections: true },
  jekyll,
  hugo,
  zola,
  eleventy,
  astro,
  obsidian,
}
