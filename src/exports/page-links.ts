// The site's own addresses in a page, a style sheet or a sitemap.

import { Parser } from 'htmlparser2'

/** Attributes with one address. */
const single: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'data'])

/** The path of an origin with a base path: an empty text, or `/blog`. */
export const basePathIn = (origin: string): string => new URL(`${origin}/`).pathname.slice(0, -1)

/**
 * Returns the paths below the origin that a file names, without fragment, and without a query other than the number of a page.
 * @param base the path of the file, for relative addresses
 * @param origin with the base path, without a slash at the end
 */
export function linksIn(body: Buffer | string, contentType: string, base: string, origin: string): readonly string[] {
  const read = readers.find(([kind]) => contentType.includes(kind))?.[1]
  if (read === undefined) return []
  const pathOf = ownPathsFrom(base, origin)
  return [...new Set([...new Set(read(body.toString()))].flatMap((address) => pathOf(address) ?? []))]
}

/** The readers of addresses, by a part of the content type. */
const readers: readonly (readonly [string, (text: string) => readonly string[]])[] = [
  ['text/html', linksInHtml],
  ['text/css', linksInCss],
  ['xml', linksInXml],
  ['manifest', linksInManifest],
]

function linksInHtml(text: string): readonly string[] {
  const found: string[] = []
  let inStyle = false
  const parser = new Parser({
    ontext(part) {
      if (inStyle) found.push(...linksInCss(part))
    },
    onclosetag: () => (inStyle = false),
    onopentag(name, attributes) {
      inStyle = name === 'style'
      for (const [key, value] of Object.entries(attributes)) {
        if (single.has(key)) found.push(value)
        if (key === 'srcset' || key === 'imagesrcset')
          found.push(...value.split(',').map((one) => one.trim().split(/\s/)[0] ?? ''))
        if (key === 'style') found.push(...linksInCss(value))
        if (key === 'content' && name === 'meta' && /^https?:/.test(value)) found.push(value)
      }
    },
  })
  parser.end(text)
  return found
}

function linksInCss(text: string): readonly string[] {
  return Array.from(text.matchAll(/url\(\s*["']?([^"')\s]+)/g), ([, address = '']) => address)
}

function linksInXml(text: string): readonly string[] {
  return Array.from(text.matchAll(/<(?:image:)?loc>([^<]+)</g), ([, address = '']) => address.replaceAll('&amp;', '&'))
}

function linksInManifest(text: string): readonly string[] {
  return Array.from(text.matchAll(/"src"\s*:\s*"([^"]+)"/g), ([, address = '']) => address)
}

/** Returns a function that finds the path of an address of the own site; undefined for any other address. */
function ownPathsFrom(base: string, origin: string): (address: string) => string | undefined {
  const [from, below, own] = [`${origin}${base}`, basePathIn(origin), new URL(origin).host]
  return (address) => {
    if (!URL.canParse(address, from)) return undefined
    const { protocol, host, pathname, search } = new URL(address, from)
    if (host !== own || !/^https?:$/.test(protocol)) return undefined
    const path = pathname === below ? '/' : pathname.startsWith(`${below}/`) ? pathname.slice(below.length) : undefined
    return path !== undefined && pageNumber.test(search) ? path + search : path
  }
}

const pageNumber = /^\?page=\d+$/

/**
 * Returns a page whose links work wherever its files are served: addresses of the own site are paths, and so are the numbers of
 * further pages of a list, because files have no queries. Canonical and alternate addresses stay whole.
 */
export function withPaths(html: string, origin: string): string {
  const base = basePathIn(origin)
  return html
    .replace(/<(?:a|area|audio|form|iframe|img|link|script|source|video)\b[^<>]*>/g, (tag) =>
      /rel="(?:canonical|alternate)"/.test(tag) ? tag : tag.replaceAll(`${origin}/`, `${base}/`),
    )
    .replace(/<style>[^<]*<\/style>/g, (style) => style.replaceAll(`${origin}/`, `${base}/`))
    .replace(/href="([^"?#]*)\?page=(\d+)(#[^"]*)?"/g, (all, before: string, page: string, fragment = '') =>
      before.startsWith(`${base}/`) || before.startsWith(`${origin}/`)
        ? `href="${before.replace(/\/$/, '')}/page/${page}${fragment}"`
        : all,
    )
}
