// Addresses in Markdown: of links, pictures, definitions, autolinks, and of HTML in the text.

import { decodeHtml } from '../decode-html.ts'
import { isOfPage } from '../rewrite-tree.ts'
import { type DialectContext, linkWords, resolved } from './dialect.ts'

const destination = /(\]\([ \t]{0,9})(?:<([^<>\n]{0,2000})>|([^\s()<>]{1,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500}){0,2}))/g
const definition = /^( {0,3}\[[^[\]\n]{1,200}\]:[ \t]{0,9})(?:<([^<>\n]{1,2000})>|(\S{1,2000}))/gm
const autolink = /<(https?:\/\/[^\s<>]{1,2000})>/g
const attribute =
  /(<(?:a|img|audio|video|source|iframe)\s(?:[^<>]{0,1000}\s)?(?:href|src)\s{0,3}=\s{0,3})(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})')/gi

const isMasked = (address: string): boolean => /[\ue0f0{}]/.test(address)

/** Replaces the addresses that have an answer. */
export function replaceAddresses(text: string, context: DialectContext): string {
  const answer = (written: string): string | undefined => {
    if (isMasked(written) || !isOfPage(written)) return undefined
    const found = resolved(written, context)
    return found === written ? undefined : found
  }
  return text
    .replace(destination, (all, before: string, angled?: string, bare?: string) => {
      const found = answer(angled ?? bare ?? '')
      return found === undefined ? all : before + found
    })
    .replace(definition, (all, before: string, angled?: string, bare?: string) => {
      if (/^\s*\[\^/.test(before)) return all
      const found = answer(angled ?? bare ?? '')
      return found === undefined ? all : before + found
    })
    .replace(autolink, (all, address: string) => {
      const found = answer(address)
      return found === undefined ? all : `[${linkWords(address)}](${found})`
    })
    .replace(attribute, (all, before: string, double?: string, single?: string) => {
      const found = answer(decodeHtml(double ?? single ?? '').trim())
      return found === undefined ? all : `${before}"${found}"`
    })
}
