// The addresses of the own site in a page, a style sheet or a sitemap.

import { Parser } from 'htmlparser2'

/** Attributes with one address. */
const single: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'data'])

/**
 * Returns the paths below the origin that a file names, without fragment, and without a query other than the number of a page.
 * @param base the path of the file, for relative addresses
 * @param origin with the base path, without a slash at the end
 */
export function linksIn(text: string, contentType: string, base: string, origin: string): readonly string[] {
  const found = contentType.startsWith('text/html')
    ? linksInHtml(text)
    : contentType.startsWith('text/css')
      ? linksInCss(text)
      : contentType.includes('xml')
        ? linksInXml(text)
        : contentType.includes('manifest')
          ? linksInManifest(text)
          : []
  return [...new Set(found.flatMap((address) => ownPath(address, base, origin) ?? []))]
}

function linksInHtml(text: string): readonly string[] {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
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

const linksInCss = (text: string): readonly string[] =>
  [...text.matchAll(/url\(\s*["']?([^"')\s]+)/g)].map(([, address = '']) => address)

const linksInXml = (text: string): readonly string[] =>
  [...text.matchAll(/<(?:image:)?loc>([^<]+)</g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))

const linksInManifest = (text: string): readonly string[] =>
  [...text.matchAll(/"src"\s*:\s*"([^"]+)"/g)].map(([, address = '']) => address)

/** The path of an address of the own site; undefined for any other address. */
function ownPath(address: string, base: string, origin: string): string | undefined {
  const home = new URL(`${origin}/`)
  const from = `${origin}${base}`
  if (!URL.canParse(address, from)) return undefined
  const { protocol, host, pathname, search } = new URL(address, from)
  if (host !== home.host || !/^https?:$/.test(protocol)) return undefined
  const below = home.pathname.replace(/\/$/, '')
  const path = pathname === below ? '/' : pathname.startsWith(`${below}/`) ? pathname.slice(below.length) : undefined
  return path !== undefined && pageNumber.test(search) ? path + search : path
}

const pageNumber = /^\?page=\d+$/

/**
 * Returns a page whose links work wherever its files are served: addresses of the own site are paths, and so are the numbers of
 * further pages of a list, because files have no queries. Canonical and alternate addresses stay whole.
 */
export function withPaths(html: string, origin: string): string {
  const base = new URL(`${origin}/`).pathname.slice(0, -1)
  return html
    .replace(/<(?:a|area|audio|form|iframe|img|link|script|source|video)\b[^<>]*>/g, (tag) =>
      /rel="(?:canonical|alternate)"/.test(tag) ? tag : tag.replaceAll(`${origin}/`, `${base}/`),
    )
    .replace(
      /(href="[^"?#]*)\?page=(\d+)"/g,
      (_all, before: string, page: string) => `${before.replace(/\/$/, '')}/page/${page}"`,
    )
}
