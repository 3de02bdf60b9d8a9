// The HTML of a mail as plain text, for people whose program shows that: paragraphs, list marks, and addresses after their words.

import { Parser } from 'htmlparser2'

/** The text before and after an element. Each line end is one of at most two in a row. */
const around: Readonly<Record<string, readonly [before: string, after: string]>> = {
  br: ['\n', ''],
  hr: ['\n\n* * *\n\n', ''],
  li: ['\n- ', ''],
  tr: ['\n', ''],
  td: ['', '\t'],
  th: ['', '\t'],
  dt: ['\n', ''],
  dd: ['\n  ', ''],
}
const blocks: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 p ul ol dl blockquote pre table figure figcaption div section'.split(' '),
)

/** Returns the plain text of a mail. @param html of `mailHtml` */
export function mailText(html: string): string {
  let text = ''
  let preformatted = 0
  const links: { readonly address: string; readonly at: number }[] = []
  const parser = new Parser({
    onopentag(name, { href, alt = '' }) {
      if (name === 'pre') preformatted++
      if (blocks.has(name)) text += '\n\n'
      text += around[name]?.[0] ?? ''
      if (name === 'img' && alt !== '') text += `[${alt}]`
      if (name === 'a') links.push({ address: href ?? '', at: text.length })
    },
    ontext(part) {
      text += preformatted > 0 ? part : part.replace(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (name === 'pre') preformatted--
      const link = name === 'a' ? links.pop() : undefined
      // Words that are the address already say it once.
      if (link && link.address !== '' && !text.slice(link.at).includes(link.address.replace(/^(?:https?:\/\/|mailto:|tel:)/, '')))
        text += ` (${link.address})`
      text += around[name]?.[1] ?? ''
      if (blocks.has(name)) text += '\n\n'
    },
  })
  parser.end(html)
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^ (?=\S)/gm, '')
    .trim()
}
