// `[embed]` and the shortcodes of single sites, such as `[youtube]`: the address of a page that is shown or linked to.

import { makeElement, makeText, type Node } from '../../../content/from-html/tree.ts'
import { findEmbed } from '../../../content/markdown/embeds.ts'
import { decodeHtml } from '../decode-html.ts'
import type { ShortcodeRule } from './shortcode.ts'

/** A frame for a known video or map, and a link to any other address. */
export function addressNodes(address: string): readonly Node[] {
  if (findEmbed(address)) return [makeElement('iframe', { src: address })]
  return [makeElement('p', {}, [makeElement('a', { href: address }, [makeText(address)])])]
}

const isAddress = (text: string): boolean => /^https?:\/\/[^\s<>"]{1,2000}$/.test(text)

/** The address of a page by the id that a shortcode names. */
const pages: Readonly<Record<string, (id: string) => string | undefined>> = {
  youtube: (id) => (/^[\w-]{11}$/.test(id) ? `https://www.youtube.com/watch?v=${id}` : undefined),
  vimeo: (id) => (/^\d{1,15}$/.test(id) ? `https://vimeo.com/${id}` : undefined),
  dailymotion: (id) => (/^\w{1,20}$/.test(id) ? `https://www.dailymotion.com/video/${id}` : undefined),
  ted: (id) => (/^[\w-]{1,100}$/.test(id) ? `https://www.ted.com/talks/${id}` : undefined),
  gist: (id) => (/^[\w/]{1,100}$/.test(id) ? `https://gist.github.com/${id}` : undefined),
}

export const embedShortcode: ShortcodeRule = ({ name, values, content }, { state }) => {
  const words = [content, ...['url', 'src', 'id', '0', 'link'].map((one) => values.get(one))]
    .filter((one) => one !== undefined)
    .map((one) =>
      decodeHtml(one.replace(/<[^<>]*>/g, ''))
        .trim()
        .replace(/^[=:]\s*/, ''),
    )
  const address = words.find(isAddress)
  if (address !== undefined) return addressNodes(withoutSize(address))
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  const found = page && words.map(page).find((one) => one !== undefined)
  if (found !== undefined) return addressNodes(found)
  state.lose('shortcode', `[${name}]`, 'It names no address: it stays as text.')
  return undefined
}

/** WordPress.com writes `[youtube=https://…&w=320&h=240]`. */
const withoutSize = (address: string): string => address.replace(/&(?:w|h|rel|showinfo)=\d{1,5}(?=&|$)/g, '')
