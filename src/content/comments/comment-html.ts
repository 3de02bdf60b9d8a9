// The text of a comment as markup, and old comments as text. A comment is plain text: nothing in it is markup (attack 171).

import { trimEndOf } from '../../base/trim-text.ts'
import { textOfHtml } from '../markdown/plain-text.ts'
import { escapeHtml } from '../markdown/escape-html.ts'
import { maxCommentChars, tidyText } from './comment-rules.ts'

const address = /https?:\/\/[^\s<>"'`\p{Cc}]{1,500}/gu
/** Characters that end a sentence after an address, and rarely the address. */
const sentenceEnd = '.,;:!?)]}»”’…'

/** The paragraphs of a plain text as HTML. Addresses become links that search engines don't follow. */
export const commentMarkup = (body: string): string =>
  body
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(withLinks).join('<br>')}</p>`)
    .join('')

function withLinks(line: string): string {
  let made = ''
  let from = 0
  for (const { 0: found, index } of line.matchAll(address)) {
    const url = trimEndOf(found, sentenceEnd)
    if (!URL.canParse(url)) continue
    made += `${escapeHtml(line.slice(from, index))}<a href="${escapeHtml(url)}" rel="nofollow ugc">${escapeHtml(url)}</a>`
    from = index + url.length
  }
  return made + escapeHtml(line.slice(from))
}

/** The text of an old comment, with its paragraphs and the addresses of its links. @param html cleaned */
export function textOfOldComment(html: string): string {
  const shown = html.replace(/<a ([^<>]*)>([^<>]*)<\/a>/g, (_whole, attributes: string, text: string) => {
    const url = /href="([^"]*)"/.exec(attributes)?.[1] ?? ''
    return url === '' || url === text ? text : `${text} (${url})`
  })
  const paragraphs = shown.split(/<\/(?:p|blockquote|ul|ol|pre|div)>|<br ?\/?>\s*<br ?\/?>/)
  return tidyText(
    paragraphs
      .map(textOfHtml)
      .filter((text) => text !== '')
      .join('\n\n'),
  ).slice(0, 4 * maxCommentChars)
}
