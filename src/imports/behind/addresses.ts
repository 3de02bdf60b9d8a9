// Addresses of an old site, in the one form in which they are compared: without scheme, fragment and slash at the end, and from the
// path on for the site itself. A query counts only where it names a thing, such as `?p=12`.

import { trimEndOf } from '../../base/trim-text.ts'

const naming: ReadonlySet<string> = new Set([
  'p',
  'page_id',
  'attachment_id',
  'cat',
  'author',
  'tag',
  'post_type',
  'category_name',
])

/** The address of an old site. */
export interface OldSite {
  /** Hosts of the site, without `www.`. */
  readonly hosts: ReadonlySet<string>
  /** An address against which relative ones are read. */
  readonly base: string
}

export function oldSiteOf(urls: readonly string[]): OldSite {
  const parsed = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url))
  return {
    hosts: new Set(parsed.map(({ host }) => bareHost(host))),
    base: parsed[0] ? `${trimEndOf(parsed[0].href, '/')}/` : 'http://old.invalid/',
  }
}

const bareHost = (host: string): string => host.toLowerCase().replace(/^www\./, '')

/** An address in parts. */
export interface ReadAddress {
  /** By which addresses are compared. */
  readonly key: string
  /** The address without query and fragment, for files. */
  readonly file: string
  readonly fragment: string
  /** True if it is on the old site itself. */
  readonly isOwn: boolean
  readonly isFile: boolean
  /** The whole address, to fetch it. */
  readonly url: string
}

/** Reads an address of a text or of a part; undefined for one that isn't of the web. */
export function readAddress(address: string, site: OldSite): ReadAddress | undefined {
  const text = address.trim()
  if (text === '' || text.startsWith('#') || /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(text)) return undefined
  if (!URL.canParse(text, site.base)) return undefined
  const url = new URL(text, site.base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  const host = bareHost(url.host)
  const isOwn = site.hosts.has(host) || host === 'old.invalid'
  const path = decoded(trimEndOf(url.pathname, '/'))
  const query = [...url.searchParams].filter(([name]) => naming.has(name)).map(([name, value]) => `${name}=${value}`)
  const place = isOwn ? path || '/' : host + path
  return {
    key: query.length === 0 ? place : `${place}?${query.join('&')}`,
    file: place,
    fragment: url.hash,
    isOwn,
    isFile: /\.[a-z0-9]{1,5}$/i.test(path) && !/\.(?:html?|php|aspx?)$/i.test(path),
    url: url.href,
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return path
  }
}

/**
 * The names under which a picture may be known: as it is, then without the marks of a size that WordPress or Ghost put into its
 * name. The exact name comes first, since a file may be called `photo-300x200.jpg`.
 */
export function fileNames(file: string): readonly string[] {
  const proxied = /^i\d\.wp\.com\/(.+)$/.exec(file)?.[1]
  const given = proxied === undefined ? [file] : [file, proxied]
  const others = given.flatMap((name) => {
    const bare = name.replace(/-\d{1,5}x\d{1,5}(?=\.[a-z0-9]{1,5}$)/i, '')
    return [
      name.replace(/\/content\/images\/size\/[wh\d]{1,12}\//, '/content/images/'),
      bare,
      name.replace(/-(?:scaled|rotated|e\d{10,13})(?=\.[a-z0-9]{1,5}$)/i, ''),
      bare.replace(/(?=\.[a-z0-9]{1,5}$)/i, '-scaled'),
    ]
  })
  return [...new Set([...given, ...others])]
}
