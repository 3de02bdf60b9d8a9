// A rendered text as HTML for mail programs, which have neither style sheets nor scripts: styles are in attributes, addresses are
// whole, and what a mail can't show becomes a link to the page.

import type { Attributes, IOptions, Tag } from 'sanitize-html'
import { withFormulaSources } from '../../content/markdown/plain-text.ts'

/** The page of the text, and what the mail needs of it. */
export interface MailedPage {
  /** The address of the page. */
  readonly url: string
  /** The title, as the words of links to the page. */
  readonly title: string
  /** The colour of links and buttons, as `#rrggbb`. */
  readonly colour: string
  /** Returns a picture by its address in the text; undefined for one that visitors don't see. */
  readonly pictureOf: (src: string) => MailPicture | undefined
}

/** A picture in a form that mail programs know. */
export interface MailPicture {
  readonly url: string
  readonly width: number | null
  readonly alt: string
}

const quiet = 'color:#5b6167;font-size:14px'
const cell = 'padding:6px 10px;border:1px solid #c9ced3;text-align:left;vertical-align:top'

/** The elements of a mail, with their styles. */
const styles: Readonly<Record<string, string>> = {
  h1: 'margin:32px 0 12px;font-size:24px;line-height:1.3',
  h2: 'margin:32px 0 12px;font-size:21px;line-height:1.3',
  h3: 'margin:24px 0 8px;font-size:18px;line-height:1.3',
  h4: 'margin:24px 0 8px;font-size:16px;line-height:1.3',
  p: 'margin:0 0 16px',
  ul: 'margin:0 0 16px;padding:0 0 0 24px',
  ol: 'margin:0 0 16px;padding:0 0 0 24px',
  li: 'margin:0 0 6px',
  dt: 'font-weight:600',
  dd: 'margin:0 0 8px 16px',
  dl: 'margin:0 0 16px',
  blockquote: 'margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #c9ced3',
  pre: 'margin:0 0 16px;padding:12px;overflow:auto;background:#f2f4f5;color:#1c1f21;font:13px/1.5 monospace',
  code: 'font-family:monospace;font-size:0.9em',
  hr: 'margin:32px 0;border:0;border-top:1px solid #c9ced3',
  table: 'margin:0 0 16px;border-collapse:collapse',
  th: cell,
  td: cell,
  figure: 'margin:0 0 16px',
  figcaption: quiet,
  small: quiet,
}

/** Elements without a style of their own. */
const plain = 'h5 h6 br a img div section strong b em i u s del ins mark sub sup cite thead tbody tr span'.split(' ')

const maxPictureWidth = 560
const linkSchemes = ['http', 'https', 'mailto', 'tel']

/** Returns the text as it stands in a mail. @param html cleaned HTML */
export async function mailHtml(html: string, page: MailedPage): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  const options: IOptions = {
    allowedTags: [...Object.keys(styles), ...plain],
    allowedAttributes: {
      '*': ['style'],
      a: ['href', 'style'],
      img: ['src', 'alt', 'width', 'style'],
      td: ['colspan'],
      th: ['colspan'],
    },
    allowedSchemes: linkSchemes,
    parseStyleAttributes: false,
    nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'template', 'iframe', 'svg'],
    transformTags: { '*': (tagName, attributes) => (special[tagName] ?? styled)(attributes, page, tagName) },
    exclusiveFilter: (frame) => (frame.tag === 'a' && frame.attribs['href'] === undefined ? 'excludeTag' : isEmptyBox(frame)),
  }
  return sanitizeHtml(withFormulaSources(html), options).trim()
}

/** The element of a form or list that is filled in when a page is made. */
const isEmptyBox = ({ tag, text, mediaChildren }: { tag: string; text: string; mediaChildren: readonly string[] }): boolean =>
  tag === 'div' && text.trim() === '' && mediaChildren.length === 0

type Mailed = (attributes: Attributes, page: MailedPage, tagName: string) => Tag

const styled: Mailed = ({ colspan }, _page, tagName) => {
  const style = Object.hasOwn(styles, tagName) ? styles[tagName] : undefined
  return { tagName, attribs: { ...(style !== undefined && { style }), ...(colspan !== undefined && { colspan }) } }
}

/** A film or sound becomes a link to the page. */
const linkToPage: Mailed = (_attributes, { url, title, colour }) => ({
  tagName: 'a',
  attribs: { href: url, style: `color:${colour}` },
  text: title,
})

/** The elements that are not just styled. */
const special: Readonly<Partial<Record<string, Mailed>>> = {
  a: (attributes, page) => ({ tagName: 'a', attribs: linkOf(attributes, page) }),
  img: pictureTag,
  video: linkToPage,
  audio: linkToPage,
}

function linkOf({ href = '', class: names = '' }: Attributes, { url, colour }: MailedPage): Attributes {
  const address = wholeAddress(href, url)
  // A link back from a footnote leads nowhere in a mail.
  if (address === undefined || names === 'back') return {}
  const button = `display:inline-block;padding:10px 18px;border-radius:6px;background:${colour};color:#ffffff;text-decoration:none`
  return { href: address, style: names.split(' ').includes('button') ? button : `color:${colour}` }
}

function pictureTag({ src = '', alt = '' }: Attributes, { url, pictureOf }: MailedPage): Tag {
  const picture = pictureOf(src)
  const address = picture && wholeAddress(picture.url, url)
  if (!picture || address === undefined) return { tagName: 'span', attribs: {}, text: alt }
  const width = String(Math.min(maxPictureWidth, picture.width ?? maxPictureWidth))
  return { tagName: 'img', attribs: { src: address, alt: alt || picture.alt, width, style: 'max-width:100%;height:auto' } }
}

/** The whole address of a link in a page; undefined for one that no mail may have. */
function wholeAddress(address: string, page: string): string | undefined {
  if (!URL.canParse(address, page)) return undefined
  const url = new URL(address, page)
  return linkSchemes.includes(url.protocol.slice(0, -1)) ? url.href : undefined
}
