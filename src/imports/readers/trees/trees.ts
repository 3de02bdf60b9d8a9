// Trees of Markdown: Jekyll, Hugo, Zola, Eleventy, Astro, Obsidian, and plain folders. The generator is recognised, not asked.

import { posix } from 'node:path'
import { withoutSlash } from '../without-slash.ts'
import { Failure } from '../../../base/failure.ts'
import { readFrontMatter } from '../../../content/entries/front-matter.ts'
import type { ImportFormat, ReadOptions } from '../../import-format.ts'
import type { SourceFiles } from '../../source-files.ts'
import type { ImportEntry, ImportLoss, ImportMedia, ImportPart, ImportSite, ImportTermRef, ImportTime } from '../../stream.ts'
import { timeIn } from '../csv.ts'
import { wholeText } from '../head-of.ts'
import { type PageFields, authorsOf, furtherFields, isTrue, listOf, termsOf, textOf, toFields } from './page-fields.ts'
import { addressOfFile, type PagePlace, placeOf } from './places.ts'
import { isConfigFile, isPageFile, readTree, settingIn, type Tree } from './tree.ts'
import { createTreeMenus, type TreeMenus } from './tree-menus.ts'
import { createTreeTerms, termOfPage, type TreeTerms } from './tree-terms.ts'

export const treeFormat: ImportFormat = {
  name: 'markdown',
  recognises: async (files) => (await readTree(files)) !== undefined,
  read: readTreeParts,
}

const maxPageBytes = 8 * 1024 ** 2
const isMedia = (path: string): boolean =>
  !/(?:^|\/)(?:robots|humans|LICENSE|requirements)\.txt$/i.test(path) &&
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|pdf|mp[34]|m4[av]|ogg|oga|ogv|opus|wav|flac|webm|mov|docx?|xlsx?|pptx?|odt|ods|epub|csv|txt)$/i.test(
    path,
  )

async function* readTreeParts(files: SourceFiles, { url }: ReadOptions): AsyncGenerator<ImportPart> {
  const tree = await readTree(files)
  if (tree === undefined) throw new Failure('unprocessable', 'There is no text in Markdown in these files.')
  yield siteOf(tree, files.name, url)
  for (const { path, name, reason } of tree.passedOver) yield { kind: 'loss', group: 'file', name, reason, where: path }
  const indexes = new Map([...tree.paths].flatMap(([path, below]) => indexFolder(below).map((folder) => [folder, path] as const)))
  const authors = new Set<string>()
  const context = { files, tree, indexes, terms: createTreeTerms(tree.dialect), menus: createTreeMenus(tree) }
  for (const [path, below] of tree.paths) {
    if (!isPageFile(below)) {
      if (isMedia(below)) yield mediaOf(tree, path, below)
      else if (!isConfigFile(below)) yield otherFile(below)
      continue
    }
    for await (const part of readPage(context, { path, below })) {
      const author = part.kind === 'entry' ? part.author : undefined
      if (author !== undefined && !authors.has(author)) {
        authors.add(author)
        yield { kind: 'author', id: author, name: author, addresses: [] }
      }
      yield part
    }
  }
  yield* context.terms.all()
  yield* context.menus.menus()
}

interface TreeContext {
  readonly files: SourceFiles
  readonly tree: Tree
  /** The indexes of folders by the folders. */
  readonly indexes: ReadonlyMap<string, string>
  readonly terms: TreeTerms
  readonly menus: TreeMenus
}

const otherFile = (below: string): ImportLoss => ({
  kind: 'loss',
  group: 'file',
  name: `*${posix.extname(below) || posix.basename(below)}`,
  reason: 'neither a text nor a picture, a sound or a document',
  where: below,
})

function siteOf({ config, dialect }: Tree, name: string, url: string | undefined): ImportSite {
  const address = withoutSlash(url ?? settingIn(config, 'url', 'baseURL', 'base_url'))
  const own = address !== undefined && /^https?:\/\//.test(address) ? address : undefined
  return {
    kind: 'site',
    key: own?.replace(/^https?:\/\/(?:www\.)?/, '') ?? `${dialect}:${name.replace(/\.(?:zip|tar|tgz|gz)$/i, '')}`,
    url: own,
    title: settingIn(config, 'title'),
    tagline: settingIn(config, 'description', 'tagline'),
    language: settingIn(config, 'languageCode', 'lang', 'locale', 'default_language', 'defaultContentLanguage'),
    timeZone: settingIn(config, 'timezone', 'timeZone'),
  }
}

/** The folder of which a file is the index page. The home page stands above no other. */
const indexFolder = (below: string): readonly string[] => {
  const folder = isPageFile(below) ? /^(.*)\/(?:_?index|README)\.\w+$/i.exec(below)?.[1] : undefined
  return folder === undefined || /^(?:content|docs|src(?:\/(?:content|pages)(?:\/[^/]+)?)?)$/.test(folder) ? [] : [folder]
}

/** Files in `static` and `public` stand at the root of the site. */
const mediaOf = ({ dialect }: Tree, path: string, below: string): ImportMedia => ({
  kind: 'media',
  id: below,
  address: `/${addressOfFile(below.replace(dialect === 'hugo' || dialect === 'zola' ? /^(?:static|content|assets)\// : /^(?:public|static)\//, ''))}`,
  path,
  filename: below.slice(below.lastIndexOf('/') + 1),
  addresses: [],
})

interface PageFile {
  readonly path: string
  readonly below: string
}

async function* readPage(
  { files, tree, indexes, terms: allTerms, menus }: TreeContext,
  { path, below }: PageFile,
): AsyncGenerator<ImportPart> {
  const { dialect, config } = tree
  const read = await readFile(files, path)
  if ('reason' in read) yield { kind: 'loss', group: 'file', name: below, reason: read.reason }
  const { fields, body } = read
  const place = placeOf(dialect, { path: below, fields, config })
  // Templates of a site have no front matter of their own, or loops over other pages.
  const isTemplate = !/\.(?:md|markdown|mkdown|mkdn|mkd|mdx)$/i.test(below) && (fields.size === 0 || /\{%-?\s*for\s/.test(body))
  if (place === undefined || isTemplate) {
    const reason = isTemplate ? 'a template: it has no front matter, or lists other pages' : 'it is outside the folders of texts'
    yield { kind: 'loss', group: 'file', name: below, reason }
    return
  }
  const title = textOf(fields, 'title') ?? headingIn(body) ?? place.slug.replaceAll(/[-_]+/g, ' ')
  const term = termOfPage(dialect, below, title)
  if (term) {
    const description = textOf(fields, 'description') ?? body.trim()
    allTerms.describe(term, { description: description || undefined, address: place.address })
    return
  }
  for (const further of authorsOf(fields).slice(1))
    yield { kind: 'loss', group: 'author', name: further, reason: 'a further author: an entry here has one', where: below }
  const addresses = [place.address, ...addressesIn(fields).map((one) => absolute(one, place.address))]
  for (const address of addresses.filter(leavesSite))
    yield { kind: 'loss', group: 'address', name: address, reason: 'an address that leaves the site', where: below }
  const parent = place.folder === undefined ? undefined : indexes.get(place.folder)
  const cover = textOf(fields, 'cover')
  const root = path.slice(0, path.length - below.length)
  const terms = termsIn(dialect, { fields, place, body })
  for (const one of terms) allTerms.mention(one, place)
  menus.add({ id: below, title, fields, language: place.prefix === '' ? undefined : place.language })
  const date = timeIn(textOf(fields, 'date') ?? '') ?? timeIn(place.date ?? '')
  yield {
    kind: 'entry',
    id: below,
    file: path,
    type: place.type,
    status: statusOf(dialect, fields, { place, date }),
    title,
    slug: place.slug,
    addresses: addresses.filter((one) => !leavesSite(one)),
    publishedAt: date,
    updatedAt: timeIn(textOf(fields, 'updated') ?? ''),
    unpublishAt: timeIn(textOf(fields, 'end') ?? ''),
    author: textOf(fields, 'author'),
    terms,
    parent: parent === path ? undefined : parent && below !== parent ? belowOf(parent, path, below) : undefined,
    position: Number(textOf(fields, 'position')) || undefined,
    pinned: isTrue(fields, 'pinned') ?? isTrue(fields, 'sticky'),
    excerpt: textOf(fields, 'excerpt'),
    text: /\.html?$/i.test(below) ? { format: 'html', source: body } : { format: 'markdown', dialect, source: body },
    cover:
      cover === undefined ? undefined : { address: cover, id: fileBeside(cover, below, (name) => files.sizes.has(root + name)) },
    seo: textOf(fields, 'description') === undefined ? undefined : { description: textOf(fields, 'description') ?? '' },
    language: place.language ?? textOf(fields, 'language'),
    translations:
      textOf(fields, 'translations') ?? (place.language === undefined ? undefined : below.replace(`.${place.language}.`, '.')),
    fields: furtherFields(fields),
  } satisfies ImportEntry
}

/** The id of the picture that a relative path in front matter names: the one beside the text comes before that of a root folder. */
function fileBeside(address: string, below: string, isThere: (name: string) => boolean): string | undefined {
  if (address.startsWith('/') || URL.canParse(address)) return undefined
  const beside = posix.join(posix.dirname(below), address)
  return [beside, ...['static', 'assets', 'content', 'public'].map((folder) => posix.join(folder, address))].find(isThere)
}

/** Ids are paths below the root of the tree; an index is named by its path in the import. */
const belowOf = (parent: string, path: string, below: string): string => parent.slice(path.length - below.length)

type ReadFile = { readonly fields: PageFields; readonly body: string; readonly reason?: string }

/** A file whose front matter can't be read is a draft with its whole text, or what stands below a program. */
async function readFile(files: SourceFiles, path: string): Promise<ReadFile> {
  let text = ''
  try {
    text = withUsualFences(await wholeText(files, path, maxPageBytes))
    const program = /^---(?:js|javascript)[ \t]*\r?\n[^]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0]
    if (program !== undefined) return unread(text.slice(program.length), 'the front matter is JavaScript, which is not run')
    const { fields, body } = readFrontMatter(text)
    return { fields: toFields(fields), body }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return unread(text, error.message)
  }
}

const unread = (body: string, reason: string): ReadFile => ({ fields: new Map([['draft', true]]), body, reason })

/** Eleventy names the language of front matter behind its first line: `---json`. */
const withUsualFences = (text: string): string =>
  text.replace(
    /^\ufeff?---(yaml|toml|json)[ \t]*\r?\n([^]*?)\n---[ \t]*(\r?\n|$)/,
    (_all, kind: string, source: string, end: string) =>
      kind === 'json' ? `${source.trim()}${end}` : [fences[kind], source, `${fences[kind]}${end}`].join('\n'),
  )

const fences: Readonly<Record<string, string>> = { yaml: '---', toml: '+++' }

/** Notes are private unless they say otherwise. */
function statusOf(
  dialect: Tree['dialect'],
  fields: PageFields,
  { place, date }: { place: PagePlace; date: ImportTime | undefined },
): ImportEntry['status'] {
  if (dialect === 'obsidian') return isTrue(fields, 'publish') === true ? 'published' : 'draft'
  const isDraft = isTrue(fields, 'draft') === true || isTrue(fields, 'published') === false || place.isDraft === true
  if (isDraft) return 'draft'
  return date !== undefined && 'utc' in date && date.utc > Date.now() ? 'scheduled' : 'published'
}

/** True for an address that would mean another place once its dots are resolved, also in percent code (attack 162). */
const leavesSite = (address: string): boolean => /(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i.test(address)

const addressesIn = (fields: PageFields): readonly string[] =>
  ['aliases', 'redirect_from'].flatMap((key) => listOf(fields.get(key), /\s+/)).filter((one) => !one.includes(' '))

/** Aliases of Hugo may be relative to the page. */
const absolute = (alias: string, address: string): string =>
  alias.startsWith('/') || /^https?:/.test(alias) ? alias : posix.join(posix.dirname(address.replace(/\/$/, '')), alias)

const headingIn = (body: string): string | undefined => /^\s{0,100}# ([^\n]{1,300})/.exec(body)?.[1]?.trim()

function termsIn(
  dialect: Tree['dialect'],
  { fields, place, body }: { fields: PageFields; place: PagePlace; body: string },
): readonly ImportTermRef[] {
  const folders = (place.categories ?? []).map((name) => ({ taxonomy: 'category', slug: name, name }))
  const inline = dialect === 'obsidian' ? inlineTags(body).map((name) => ({ taxonomy: 'tag', slug: name, name })) : []
  const all = [...folders, ...termsOf(fields, dialect === 'jekyll' ? /\s+/ : /,/), ...inline]
  return all.filter(({ taxonomy, slug }, at) => all.findIndex((one) => one.taxonomy === taxonomy && one.slug === slug) === at)
}

/** The tags in a note, outside code. */
const inlineTags = (body: string): readonly string[] => [
  ...new Set(
    [...body.replace(/```[^]*?(?:```|$)|`[^`\n]*`/g, '').matchAll(/(?:^|\s)#(\p{L}[\p{L}\p{N}_/-]{0,99})/gu)].map(
      ([, tag = '']) => tag,
    ),
  ),
]
