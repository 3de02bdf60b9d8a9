// The calls that make the entries and the media of a site equal to those of a folder.

import { isObject } from '../base/json.ts'
import { formatFrontMatter, readFrontMatter } from '../content/entries/front-matter.ts'
import { knownAuthors } from './folder-people.ts'
import { changedItems, differing, type Item, type PassedOver, type PlannedCall, type Sides } from './folder-sides.ts'

export const isMedia = (path: string): boolean => path.startsWith('media/')

export function mediaCalls({ folder, site }: Sides): readonly PlannedCall[] {
  return [...folder.values()]
    .filter(({ path, digest }) => isMedia(path) && site.get(path)?.digest !== digest)
    .map(({ path }) => {
      const parts = path.split('/').slice(1)
      const filename = parts.at(-1) ?? ''
      if (site.has(path)) return { call: 'SVC_Media.replace', input: { id: `/${path}` }, path, sendsFile: true }
      return { call: 'SVC_Media.upload', input: { filename, folder: parts.slice(0, -1).join('/') }, path, sendsFile: true }
    })
}

export function aboutMediaCalls(sides: Sides): readonly PlannedCall[] {
  const path = 'media.yaml'
  const blank = { alt: null, caption: null, focus: null, protected: false }
  return changedItems(sides, path, ({ path: named }) => String(named)).flatMap(([item, before]) => {
    const known = listIn(before, 'aliases')
    const aliases = listIn(item, 'aliases').filter((one) => !known.includes(one))
    const about = differing({ ...blank, ...item }, { ...blank, ...before }, ['path', 'aliases'])
    const changes = { ...about, ...(aliases.length > 0 && { aliases }) }
    return Object.keys(changes).length === 0 ? [] : [{ call: 'SVC_Media.update', input: { id: item['path'], ...changes }, path }]
  })
}

const listIn = (item: Item | undefined, name: string): readonly unknown[] => {
  const list = item?.[name]
  return Array.isArray(list) ? list : []
}

/** The path of an entry by its file: `content/about/index.md` or `content/about.md`; undefined for other files. */
export function entryPathOf(path: string, name: 'index' | 'staged'): string | undefined {
  const [, stem] = /^content(\/.+)\.md$/.exec(path) ?? []
  if (stem === undefined) return undefined
  const last = stem.slice(stem.lastIndexOf('/') + 1)
  if (name === 'staged') return last === 'staged' ? stem.slice(0, -'/staged'.length) || undefined : undefined
  if (last === 'staged') return undefined
  return last === 'index' ? stem.slice(0, -'/index'.length) || undefined : stem
}

export function entryCalls(sides: Sides, passedOver: PassedOver[]): readonly PlannedCall[] {
  const authors = knownAuthors(sides)
  return changedEntries(sides, 'index').map(({ path, at, text, before }) => {
    const { fields, body } = readFrontMatter(text)
    const { author, ...rest } = fields
    const isKnown = typeof author !== 'string' || authors.has(author) || author.includes('@')
    if (!isKnown) passedOver.push({ path, why: `there is no author ${JSON.stringify(author)} here` })
    const nulls = before === undefined ? {} : takenAway(fields, readFrontMatter(before).fields)
    const isSame = isKnown && Object.keys(nulls).length === 0
    return putCall(path, at, isSame ? text : formatFrontMatter({ ...(isKnown ? fields : rest), ...nulls }, body))
  })
}

/** The keys that a file no longer has, with null, by which `put` clears them, and the same for members of `seo` and `fields`. */
function takenAway(fields: Item, before: Item): Item {
  const gone = Object.keys(before).filter((key) => !(key in fields) && !alwaysThere.has(key))
  const members = ['seo', 'fields'].flatMap((key) => {
    const [now, then] = [fields[key], before[key]]
    const cleared = isObject(now) && isObject(then) ? Object.keys(then).filter((name) => !(name in now)) : []
    return cleared.length === 0 ? [] : [[key, { ...(now as Item), ...nullsOf(cleared) }] as const]
  })
  return { ...nullsOf(gone), ...Object.fromEntries(members) }
}

const nullsOf = (keys: readonly string[]): Item => Object.fromEntries(keys.map((key) => [key, null]))

/** Keys that no file takes away from an entry. */
const alwaysThere: ReadonlySet<string> = new Set(['title', 'type', 'status', 'aliases', 'author'])

export const stagedCalls = (sides: Sides): readonly PlannedCall[] =>
  changedEntries(sides, 'staged').map(({ path, at, text }) => putCall(path, at, text, { stage: true }))

const putCall = (path: string, at: string, markdown: string, more: Item = {}): PlannedCall => ({
  call: 'SVC_Content.put',
  input: { path: at, markdown, terms_create: true, ...more },
  path,
})

interface ChangedEntry {
  readonly path: string
  readonly at: string
  readonly text: string
  readonly before: string | undefined
}

/** The entries whose file differs, each after the page above it. */
function changedEntries({ folder, site }: Sides, name: 'index' | 'staged'): readonly ChangedEntry[] {
  const changed = [...folder.values()].flatMap(({ path, text, digest }) => {
    const at = entryPathOf(path, name)
    if (at === undefined || text === undefined || site.get(path)?.digest === digest) return []
    return [{ path, at, text, before: site.get(path)?.text }]
  })
  return changed.sort((a, b) => (a.at < b.at ? -1 : 1))
}
