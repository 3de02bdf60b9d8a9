// The shortcodes of page builders. Their wrappers are left out, their text stays, and so do the pictures, links and words that
// their attributes hold.

import { makeElement, makeText, type Node } from '../../../content/from-html/tree.ts'
import type { Shortcode, WordPressContext } from './shortcode.ts'

const builders = /^(?:vc|et_pb|et|fusion|av|mk|nectar|cs|x|kc|fw|tatsu|thb|ux|themify|porto|wpb|dt|qode|ultimate|pl)_[a-z]/
const layouts =
  /^(?:row|row_inner|column|column_inner|columns|col|col_inner|section|section_inner|one_half|one_third|two_third|one_fourth|three_fourth|one_half_last|one_third_last|two_third_last|one_fourth_last)$/

/** Wrappers that hold encoded data, and no text. */
const encoded = /^vc_raw_/

export const isOfBuilder = (name: string): boolean => (builders.test(name) || layouts.test(name)) && !encoded.test(name)

const headings = ['heading', 'title', 'text', 'admin_title', 'subtitle', 'subheading']
const words = ['content', 'label', 'caption', 'quote', 'author', 'button_text', 'btn_title', 'job_title', 'name']
const links = ['button_url', 'url', 'href', 'link', 'link_url']

/** The words, the picture and the link of a wrapper. */
export function builderNodes({ name, values }: Pick<Shortcode, 'name' | 'values'>, { state }: WordPressContext): readonly Node[] {
  state.lose('page builder', `[${name}]`, 'Wrappers of page builders are left out. Their text stays, in one column.')
  const isHeading = /heading|title/.test(name)
  const isPicture = /image|img|photo|picture|portrait/.test(name)
  const wanted = isHeading ? headings : [...headings.filter((one) => one !== 'admin_title'), ...words]
  const texts = wanted.flatMap((one) => {
    const text = values.get(one) ?? ''
    return /[\p{L}\p{N}]/u.test(text) && !isSetting(text) ? [text] : []
  })
  const link = links.map((one) => addressIn(values.get(one) ?? '')).find((one) => one !== undefined)
  const source = isPicture ? ['src', 'image_url', 'url', 'image'].map((one) => values.get(one) ?? '').find(isAddress) : undefined
  const id = isPicture ? /^\d{1,15}$/.exec(values.get('image') ?? values.get('attachment_id') ?? '')?.[0] : undefined
  const picture =
    source === undefined && id === undefined
      ? []
      : [makeElement('p', {}, [makeElement('img', { src: source ?? '', alt: values.get('alt') ?? '', 'data-id': id ?? '' })])]
  const written = texts.map((text, index) => {
    const linked = link !== undefined && index === texts.length - 1 && !isPicture
    const inside = linked ? makeElement('a', { href: link }, [makeText(text)]) : makeText(text)
    return makeElement(isHeading && index === 0 ? 'h2' : 'p', {}, [inside])
  })
  return [...picture, ...written]
}

const isAddress = (text: string): boolean => /^(?:https?:\/\/|\/)\S{1,2000}$/.test(text)

/** Values such as `on`, `left`, `#ff0000` and `50px` are settings, and no text. */
const isSetting = (text: string): boolean =>
  /^(?:on|off|yes|no|true|false|none|left|right|center|justify|default|custom|h[1-6]|#[0-9a-f]{3,8}|[\d.]+(?:px|em|rem|%)?)$/i.test(
    text,
  ) || /^[a-z0-9]+(?:[_-][a-z0-9]+)+$/.test(text)

/** An address by itself, or as WPBakery writes it: `url:https%3A%2F%2F…|title:…`. */
function addressIn(text: string): string | undefined {
  const written = /^url:([^|]{1,2000})/.exec(text)?.[1]
  if (written === undefined) return isAddress(text) ? text : undefined
  try {
    return decodeURIComponent(written)
  } catch {
    return undefined
  }
}
