// WXR, the export of WordPress: RSS with elements of its own, in one file or several.

import { withoutSlash } from '../without-slash.ts'
import { Failure } from '../../../base/failure.ts'
import { PackedMap } from '../../../base/packed-map.ts'
import type { ImportFormat } from '../../import-format.ts'
import type { SourceFiles } from '../../source-files.ts'
import { type ImportAuthor, type ImportEntry, type ImportPart, type ImportSite, incomplete } from '../../stream.ts'
import { createUploads } from '../../sources/uploads.ts'
import { plainTitle } from '../plain-title.ts'
import { headOf } from '../head-of.ts'
import { childText, readXml, type XmlElement } from '../xml-elements.ts'
import { type ItemContext, readItem } from './items.ts'
import { createMenus } from './menus.ts'
import { numberAddress } from './number-address.ts'
import { createSnippets } from './snippets.ts'
import { readTerm } from './terms.ts'
import { createOffsetCount } from './times.ts'

const containers: ReadonlySet<string> = new Set(['rss', 'channel'])
const mark = /<wp:wxr_version>|xmlns:wp=["']http:\/\/wordpress\.org\/export\//

export const wxrFormat: ImportFormat = {
  name: 'wxr',
  recognises: async (files) => (await exportFiles(files)).length > 0,
  read: readWxr,
}

/** Returns the files of an export among others. */
async function exportFiles(files: SourceFiles): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of files.sizes.keys())
    if (/\.(?:xml|wxr|txt)$/i.test(path) && mark.test(await headOf(files, path))) found.push(path)
  return found
}

async function* readWxr(files: SourceFiles): AsyncGenerator<ImportPart> {
  const paths = await exportFiles(files)
  if (paths.length === 0)
    throw new Failure('unprocessable', 'No file is an export of WordPress (WXR).', {
      hint: 'In WordPress: Tools → Export → All content.',
    })
  const offsets = createOffsetCount()
  const context: ItemContext = { menus: createMenus(), snippets: createSnippets(), offsets, findUpload: createUploads(files) }
  let site: ImportSite | undefined
  for (const path of paths) {
    for await (const part of readFile(files, path, context)) {
      if (part.kind === 'site') site = part
      context.snippets.note(part)
      yield part
    }
  }
  yield* context.menus.menus()
  yield* context.snippets.unused()
  if (site) yield { ...site, offsetMinutes: offsets.commonest() }
}

async function* readFile(files: SourceFiles, path: string, context: ItemContext): AsyncGenerator<ImportPart> {
  const { elements, faults } = readXml(files.open(path), containers)
  const head = new Map<string, string>()
  const slugPaths = new Map<string, string>()
  const links = new PackedMap<number>()
  let isBegun = false
  let items = 0
  for await (const element of elements) {
    const { name } = element
    const isHead = name !== 'item' && !name.startsWith('wp:')
    if (isHead || name.startsWith('wp:base_')) {
      if (!head.has(name)) head.set(name, element.text.trim())
      continue
    }
    if (name === 'wp:wxr_version') continue
    if (!isBegun) yield siteOf(head, path)
    isBegun = true
    if (name === 'item') {
      items++
      for (const part of readItem(element, context)) yield part.kind === 'entry' ? withOwnId(part, links) : part
    } else if (name === 'wp:author') yield authorOf(element)
    else {
      const term = readTerm(element, slugPaths)
      if (term) yield term
    }
  }
  if (!isBegun) yield siteOf(head, path)
  if (!faults.isComplete)
    yield { kind: 'loss', group: incomplete, name: path, reason: `the file ends early, after ${items} whole items` }
  if (faults.controlCharacters > 0)
    yield { kind: 'loss', group: 'file', name: path, reason: `${faults.controlCharacters} control characters were removed` }
  if (faults.cut > 0) yield { kind: 'loss', group: 'file', name: path, reason: `${faults.cut} texts were too long and are cut` }
}

/**
 * Two items of a file at different addresses are two, even if both have the same id. Comments and the addresses by number stay
 * with the first.
 */
function withOwnId(entry: ImportEntry, links: PackedMap<number>): ImportEntry {
  const [link = ''] = entry.addresses
  const [first, own] = [links.get(entry.id), hashOf(link)]
  if (first === undefined) links.set(entry.id, own)
  if (first === undefined || link === '' || first === own) return entry
  const addresses = entry.addresses.filter((address) => !address.startsWith('/?'))
  return { ...entry, id: `${entry.id} ${link}`, addresses }
}

/** A number in place of a text, to keep one for each of many items (FNV-1a). */
function hashOf(text: string): number {
  let bits = 0x811c9dc5
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193)
  return bits >>> 0
}

function siteOf(head: ReadonlyMap<string, string>, path: string): ImportSite {
  const value = (name: string) => head.get(name) || undefined
  // On WordPress.com both base addresses may be those of the host of all sites.
  const url = [value('wp:base_blog_url'), value('link'), value('wp:base_site_url')]
    .map((one) => withoutSlash(one))
    .find((one) => one !== undefined && one !== 'http://wordpress.com' && one !== 'https://wordpress.com')
  const title = value('title')
  return {
    kind: 'site',
    key: url?.replace(/^https?:\/\/(?:www\.)?/, '') ?? path,
    url,
    title: title === undefined ? undefined : plainTitle(title),
    tagline: plainTitle(value('description') ?? '') || undefined,
    language: value('language'),
  }
}

function authorOf(element: XmlElement): ImportAuthor {
  const text = (name: string) => childText(element, `wp:author_${name}`)
  const login = text('login')
  const name = plainTitle(text('display_name')) || plainTitle(`${text('first_name')} ${text('last_name')}`) || login
  return {
    kind: 'author',
    id: login,
    name,
    email: text('email') || undefined,
    addresses: [`/author/${encodeURIComponent(login)}/`, ...numberAddress('author', text('id'))],
  }
}
