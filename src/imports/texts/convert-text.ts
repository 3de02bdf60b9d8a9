// Converts texts of old systems to Markdown: a placeholder with the existing converter, until the one for imports is there.

import { fromHtml } from '../../content/from-html/from-html.ts'
import type { ConvertedText, ImportText, TextAnswers, TextReferences } from '../text.ts'

const address = /(?:href|src)\s*=\s*["']([^"'<>]{1,2000})["']/gi
const link = /\]\(\s{0,9}<?([^\s()<>]{1,2000})/g

/** Returns what a text refers to. */
export function referencesIn(text: ImportText): TextReferences {
  const pattern = text.format === 'markdown' ? link : address
  const found = [...text.source.matchAll(pattern)].map(([, one = '']) => one.replaceAll('&amp;', '&'))
  return { addresses: [...new Set(found)], files: [], entries: [] }
}

/** Converts a text. Addresses that the site answers are replaced. */
export function convertText(text: ImportText, { addresses }: TextAnswers): ConvertedText {
  const answered = (written: string) => addresses.get(written.replaceAll('&amp;', '&'))
  if (text.format === 'markdown') {
    const markdown = text.source.replace(link, (whole, written: string) =>
      whole.replace(written, () => answered(written) ?? written),
    )
    return { markdown, losses: [] }
  }
  const html = text.source.replace(address, (whole, written: string) =>
    whole.replace(written, () => answered(written) ?? written),
  )
  const blocks = html.includes('<!-- wp:') || text.format !== 'wordpress' ? html : html.replace(/\n{2,}/g, '</p><p>')
  return { markdown: fromHtml(blocks, { pictures: 'all' }).markdown, losses: [] }
}
