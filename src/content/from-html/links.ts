// Addresses and links of HTML as Markdown. An address that a page may not have, such as `javascript:`, is left out, and its words
// stay.

import { checkUrl, linkSchemes } from '../markdown/safe-url.ts'

const maxAddressChars = 2000

/**
 * The address of a link or picture of the text; undefined if it is unsafe, or leads nowhere outside the machine of the person.
 * @param origin of the site; addresses below it become paths
 */
export function addressOf(
  written: string,
  origin: string | undefined,
  schemes: readonly string[] = linkSchemes,
): string | undefined {
  // oxlint-disable-next-line no-control-regex
  const bare = written.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  const full = bare.startsWith('//') ? `https:${bare}` : bare
  if (full === '' || full.length > maxAddressChars || !checkUrl(full, schemes).safe) return undefined
  if (origin !== undefined && full.startsWith(`${origin}/`)) return full.slice(origin.length)
  return full
}

/** An address as Markdown takes it between the parentheses of a link. */
export function destinationOf(address: string): string {
  const plain = address
    .replace(/[\s<>\\]/g, (character) => encodeURIComponent(character))
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, '&amp;')
  return /[()]/.test(plain) ? `<${plain}>` : plain
}

/** A title as Markdown takes it between quotation marks. */
export const titleMarkdown = (title: string): string =>
  title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/["\\]/g, '\\$&')
    .replace(/&(?=#?[A-Za-z0-9]{1,31};)/g, '\\&')

const plainAddress = /^https?:\/\/[A-Za-z0-9][A-Za-z0-9./?=&%#@+,:-]{0,300}[A-Za-z0-9/]$/

interface WrittenLink {
  readonly href: string
  readonly title: string
  /** True if the link opens in a new tab (`markdown-new-tab.ts`). */
  readonly opensTab?: boolean
}

/**
 * Writes a link.
 * @param inner its text as Markdown
 * @param plain its text as people read it
 */
export const linkMarkdown = (link: WrittenLink, inner: string, plain: string): string =>
  writtenLink(link, inner, plain) + (link.opensTab ? '{target=_blank}' : '')

function writtenLink({ href, title }: WrittenLink, inner: string, plain: string): string {
  if (plain === href && plainAddress.test(href)) return `<${href}>`
  if (href === `mailto:${plain}` && /^[\w.+-]{1,64}@[\w.-]{1,253}$/.test(plain)) return `<${plain}>`
  return `[${inner}](${destinationOf(href)}${title === '' || title === plain ? '' : ` "${titleMarkdown(title)}"`})`
}
