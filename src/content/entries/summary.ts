// The one-line summary of a text for lists, feeds and search engines. Of a long text, only the needed part is rendered.

import type { Markdown } from '../markdown/markdown.ts'
import { summaryOfHtml, textOfHtml } from '../markdown/plain-text.ts'
import type { SummarySource } from '../markdown/render.ts'
import type { Sanitized } from '../markdown/sanitize.ts'

/** The length of an excerpt, in UTF-16 units. */
const excerptChars = 200
/** The part of a body that is rendered first. It is enough for an excerpt unless much of it is code or markup. */
const beginningChars = 4000

const maxDefinitions = 200
const maxDefinitionChars = 600
const definition = /^ {0,3}\[[^\]]{1,100}\]:/

export const summaryOf = (html: string): string => summaryOfHtml(html, excerptChars)

export function createSummarizer(
  { render }: Pick<Markdown, 'render'>,
  sanitize: (html: string) => Sanitized,
): (source: SummarySource) => string {
  const htmlOf = (text: string, language: string) => sanitize(render(text, { language }).html).html
  return ({ text, whole, language }) => {
    if (whole) return textOfHtml(htmlOf(text, language)).replace(/\s+/g, ' ')
    const beginning = beginningOf(text)
    const excerpt = summaryOf(htmlOf(beginning, language))
    // Only a cut excerpt is certainly the same as that of the whole text.
    return beginning === text || excerpt.endsWith('…') ? excerpt : summaryOf(htmlOf(text, language))
  }
}

/** The beginning of a long text up to a blank line, with the definitions of links and footnotes of the rest. */
function beginningOf(body: string): string {
  if (body.length <= beginningChars * 2) return body
  const end = body.lastIndexOf('\n\n', beginningChars)
  if (end < beginningChars / 4) return body
  return `${body.slice(0, end)}\n\n${definitionsIn(body.slice(end)).join('\n\n')}`
}

/** The definitions of links and footnotes in Markdown, without which a part of the text can't be rendered. */
export function definitionsIn(markdown: string): readonly string[] {
  const lines = markdown.split('\n').filter((line) => line.length < maxDefinitionChars && definition.test(line))
  return lines.slice(0, maxDefinitions)
}
