// Files for programs at the top of the site: robots.txt, llms.txt, the icon and the web manifest. An entry at the same path wins.

import { publicByIndex, urlOf } from '../../content/entries/entry.ts'
import { languagePath, languagesOf } from '../../content/languages/languages.ts'
import { bytes, redirect, type Reply } from '../../http/reply.ts'
import type { ThemeImage } from '../../themes/contract.ts'
import { type Frame, rootPathOf } from '../pages/frame.ts'
import { pageReply } from '../kept/page-cache.ts'
import { addressIn, siteFacts } from '../pages/page-data/site-facts.ts'
import { xmlText } from '../../content/markdown/escape-xml.ts'

const shared = { 'cache-control': 'no-cache' }
const plain = { ...shared, 'content-type': 'text/plain; charset=utf-8' }

export async function siteFile(frame: Frame, path: string): Promise<Reply | undefined> {
  return Object.hasOwn(files, path) ? files[path]?.(frame) : undefined
}

const files: Readonly<Record<string, (frame: Frame) => Promise<Reply> | Reply>> = {
  '/robots.txt': robots,
  '/llms.txt': llms,
  '/favicon.ico': icon,
  '/site.webmanifest': manifest,
}

/** @see RFC 9309 */
function robots({ site, origin }: Frame): Reply {
  const base = rootPathOf(origin)
  const searches = languagesOf(site.settings.values).further.map((language) => `${languagePath(language).slice(1)}/search`)
  const closed = ['admin/', 'api/', 'mcp/', 'oauth/', 'search', ...searches, 'theme-preview/'].map(
    (path) => `Disallow: ${base}${path}\n`,
  )
  return pageReply(`User-agent: *\n${closed.join('')}\nSitemap: ${origin}/sitemap.xml\n`, plain)
}

/** The most entries of each type in `llms.txt`. */
const maxListed = 200

/** The contents of the site, for language models. @see https://llmstxt.org */
async function llms(frame: Frame): Promise<Reply> {
  const { site, origin } = frame
  const facts = await siteFacts(frame)
  const fileOf = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`)
  const { site_title: title, site_tagline: tagline } = site.settings.values
  const sections = await Promise.all(
    site.types.current.all.map(async ({ slug, name, plural, builtIn, dated }) => {
      const rows = await site.store.read
        .selectFrom('entry')
        .select(['title', 'path', 'seo'])
        .where('type', '=', slug)
        .where((eb) => publicByIndex(eb, site.clock.now()))
        .orderBy(dated ? 'published_at' : 'position', dated ? 'desc' : 'asc')
        .orderBy('id', dated ? 'desc' : 'asc')
        .limit(maxListed)
        .execute()
      const lines = rows.map((row) => `- [${linkText(row.title)}](${urlOf(origin, fileOf(addressIn(facts, row.path ?? '/')))})`)
      const heading = builtIn ? `${plural.charAt(0).toUpperCase()}${plural.slice(1)}` : oneLine(name)
      return lines.length === 0 ? '' : `\n## ${heading}\n\n${lines.join('\n')}\n`
    }),
  )
  const about = tagline === '' ? '' : `\n> ${oneLine(tagline)}\n`
  return pageReply(`# ${oneLine(title)}\n${about}${sections.join('')}`, plain)
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
const linkText = (text: string): string => oneLine(text).replace(/[[\]\\]/g, '\\$&')

/** The icon, the logo, or the first letter of the site's name. */
async function icon(frame: Frame): Promise<Reply> {
  const { icon: own } = await siteFacts(frame)
  if (own) return redirect(302, own.variants.find(({ width }) => width >= 64)?.url ?? own.url, shared)
  const letter = [...frame.site.settings.values.site_title.trim()][0] ?? 'P'
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#3a4a63"/>' +
    `<text x="32" y="45" text-anchor="middle" font-family="system-ui,sans-serif" font-size="38" font-weight="600" fill="#fff">${xmlText(letter.toUpperCase())}</text></svg>`
  return bytes(200, Buffer.from(svg), {
    ...shared,
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; sandbox",
  })
}

/** @see https://www.w3.org/TR/appmanifest/ */
async function manifest(frame: Frame): Promise<Reply> {
  const { icon: own } = await siteFacts(frame)
  const { site_title: name, site_tagline: description, language } = frame.site.settings.values
  const icons = own
    ? [
        ...own.variants.map(({ url, width, type }) => ({ src: url, sizes: `${width}x${heightAt(own, width)}`, type })),
        { src: own.url, sizes: 'any' },
      ]
    : [{ src: `${frame.origin}/favicon.ico`, sizes: 'any', type: 'image/svg+xml' }]
  const start = rootPathOf(frame.origin)
  const text = JSON.stringify({
    name,
    description: description || undefined,
    lang: language,
    start_url: start,
    scope: start,
    display: 'browser',
    icons,
  })
  return pageReply(text, { ...shared, 'content-type': 'application/manifest+json; charset=utf-8' })
}

const heightAt = ({ width, height }: ThemeImage, at: number): number => (width === 0 ? at : Math.round((height * at) / width))
