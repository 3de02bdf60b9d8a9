// Translations, menus and redirects. They refer to entries, so they are written once all entries are there.

import { checkOneTranslation } from '../../../content/languages/translations.ts'
import { maxItems, maxLevels } from '../../../content/menus/menus.ts'
import { slugify } from '../../../content/entries/slug.ts'
import type { EntryWriting } from '../../../content/entries/write-entry.ts'
import { Failure } from '../../../base/failure.ts'
import { toSource, toTarget } from '../../../content/redirects/redirect-rules.ts'
import { writeRedirects } from '../../../content/redirects/redirects.ts'
import { readAddress } from '../../../imports/behind/addresses.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import { termKey } from '../../../imports/behind/scan.ts'
import type { ImportMenu, ImportMenuItem, ImportRedirect } from '../../../imports/stream.ts'
import type { StoredMenuItem } from '../../../store/change/menu-references.ts'
import { newId } from '../../../store/core/ids.ts'
import { savepoint } from '../../../store/core/queued-writes.ts'
import type { ImportJob, Reached } from './import-job.ts'
import { lineOf } from './lines.ts'

export async function importLinks(job: ImportJob): Promise<void> {
  const start = job.startOf('links')
  if (start === undefined) return
  const groups = translationGroups(job)
  const atOnce = 50
  for (let from = start; from < groups.length; from += atOnce) {
    const part = groups.slice(from, from + atOnce)
    await job.slice(reached(from + part.length, groups.length, 'translations'), async (writing) => {
      for (const group of part) await skipRefused(job, writing, group[0] ?? '', () => joinTranslations(job, writing, group))
    })
  }
  const { menus, redirects } = job.scanned
  if (menus.length + redirects.length === 0) return
  await job.slice(
    reached(Math.max(groups.length, start), menus.length + redirects.length, 'menus and redirects'),
    async (writing) => {
      for (const menu of menus) await skipRefused(job, writing, menu.name, () => importMenu(job, writing, menu))
      await importRedirects(job, writing, redirects)
    },
  )
}

const reached = (done: number, total: number, note: string): Reached => ({ phase: 'links', done, shown: { done, total }, note })

/** Writes one thing. If it is refused, it is a loss. */
async function skipRefused(
  { report }: ImportJob,
  { change }: EntryWriting,
  name: string,
  write: () => Promise<void>,
): Promise<void> {
  const before = change.records.length
  try {
    await savepoint(change.db, write)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable' || error.code === 'failed') throw error
    change.forget(before)
    report.loss('link', name, error.message)
  }
}

/** The old ids of entries that say the same, group by group. */
function translationGroups({ scanned, items }: ImportJob): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>()
  for (const { id, translations } of scanned.entries.values())
    if (translations !== undefined && items.find('entry', id)) groups.set(translations, [...(groups.get(translations) ?? []), id])
  return [...groups.values()].filter((ids) => ids.length > 1)
}

async function joinTranslations(
  { items, report }: ImportJob,
  { change, caller }: EntryWriting,
  ids: readonly string[],
): Promise<void> {
  const objects = ids.flatMap((id) => items.find('entry', id)?.object_id ?? [])
  const rows = await change.db.selectFrom('entry').selectAll().where('id', 'in', objects).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const [first] = objects.flatMap((id) => byId.get(id) ?? [])
  if (!first) return
  const group = first.translation_of ?? first.id
  const languages = new Set<string | null>([first.locale])
  for (const id of ids) {
    const row = byId.get(items.find('entry', id)?.object_id ?? '')
    if (!row || row.id === first.id || row.translation_of === group) continue
    if (languages.has(row.locale)) {
      report.loss('translation', row.title, 'the group has an entry in this language already', row.path ?? undefined)
      continue
    }
    languages.add(row.locale)
    const isOurs = items.find('entry', id)?.digest === digestOf('entry', row)
    const { row: joined } = await change.update('entry', row, { translation_of: group, updated_at: row.updated_at })
    await checkOneTranslation(change.db, { entry: joined, caller })
    if (isOurs) items.write(change.db, 'entry', id, { objectId: row.id, digest: digestOf('entry', joined) })
  }
}

async function importMenu(job: ImportJob, { change }: EntryWriting, menu: ImportMenu): Promise<void> {
  const { items, report } = job
  const count = { left: maxItems }
  const stored = menu.items.flatMap((item) => storedItem(job, change.now, item, 1, count))
  const known = items.find('menu', menu.id)
  const here = known && (await change.db.selectFrom('menu').selectAll().where('id', '=', known.object_id).executeTakeFirst())
  if (here) {
    // Items have new ids in each import, so a menu that was imported once is left as it is.
    report.count('menus.unchanged')
    return
  }
  const isTaken = async (column: 'slug' | 'location', value: string) =>
    (await change.db.selectFrom('menu').select('id').where(column, '=', value).executeTakeFirst()) !== undefined
  const name = lineOf(menu.name, 200) || 'Menu'
  const wanted = slugify(name) || 'menu'
  let slug = wanted
  for (let number = 2; await isTaken('slug', slug); number++) slug = `${wanted}-${number}`
  const isFree = menu.location !== undefined && !(await isTaken('location', menu.location))
  if (menu.location !== undefined && !isFree)
    report.loss(
      'menu',
      name,
      `the site has a menu at ${menu.location} already; this one is shown nowhere until you give it a place`,
    )
  const location = isFree ? (menu.location ?? null) : null
  const row = await change.insert('menu', { id: newId(change.now), slug, name, location, items: JSON.stringify(stored) })
  report.count('menus.made')
  items.write(change.db, 'menu', menu.id, { objectId: row.id, digest: digestOf('menu', row) })
}

function storedItem(job: ImportJob, now: number, item: ImportMenuItem, level: number, count: { left: number }): StoredMenuItem[] {
  const { report } = job
  const target = targetOf(job, item)
  const title = lineOf(item.title, 200)
  if (target === undefined || count.left <= 0 || level > maxLevels) {
    const reason = target === undefined ? 'it leads to nothing that was imported' : 'a menu has 500 items in 4 levels at most'
    report.loss('menu item', title || '(without a title)', reason)
    return item.children.flatMap((child) => storedItem(job, now, child, level, count))
  }
  count.left--
  const below = item.children.flatMap((child) => storedItem(job, now, child, level + 1, count))
  return [
    {
      id: newId(now),
      label: title || null,
      ...target,
      ...(item.newTab === true && { new_tab: true }),
      ...(below.length > 0 && { items: below }),
    },
  ]
}

function targetOf({ items, terms, scanned, book, places }: ImportJob, { target, title }: ImportMenuItem) {
  if ('entry' in target) {
    const entry = items.find('entry', target.entry)?.object_id ?? places.get(target.entry)?.adopts
    return entry === undefined ? undefined : { entry }
  }
  if ('term' in target) {
    const { taxonomy, slug, id } = target.term
    const key = [...scanned.terms.values()].find(
      (term) => term.taxonomy === taxonomy && (id === undefined ? term.slug === slug : term.id === id),
    )
    const term = terms.get(key ? termKey(key) : termKey({ taxonomy, slug }))
    return term === undefined ? undefined : { term }
  }
  const read = readAddress(target.address, book.site)
  if (!read || title === '') return undefined
  if (!read.isOwn) return { url: read.url }
  return { url: (book.pathOf(target.address) ?? read.key) + read.fragment }
}

/** Takes the rules that the site can have: exact ones, a slash that may be missing, and whatever is below a path. */
async function importRedirects(
  { book, report }: ImportJob,
  { change }: EntryWriting,
  rules: readonly ImportRedirect[],
): Promise<void> {
  for (const rule of rules) {
    const before = change.records.length
    try {
      const plain = rule.isPattern ? plainRule(rule) : rule
      if (!plain)
        throw new Failure('invalid', 'rules with patterns are left out, but for an optional slash and `/(.*)` at the end')
      const source = toSource(plain.source)
      const target = toTarget(book.pathOf(plain.target) ?? plain.target, source)
      const status = [301, 302, 307, 308].includes(plain.status) ? plain.status : 301
      await savepoint(change.db, async () => writeRedirects(change, [{ source, target, status }], 'hand'))
      report.count('redirects.made')
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'unavailable' || error.code === 'failed') throw error
      change.forget(before)
      report.loss('redirect', `${rule.source} → ${rule.target}`, error.message)
    }
  }
}

/** Translates a pattern: `^/old/?$`, or `^/old/(.*)` to `/new/$1`. */
function plainRule({ source, target, status }: ImportRedirect): { source: string; target: string; status: number } | undefined {
  const bare = source.replace(/^\^/, '').replace(/\$$/, '').replaceAll('\\/', '/')
  const below = /^(\/[\w/.-]*)\/\(\.[*+]\)$/.exec(bare)?.[1]
  if (below !== undefined && target.endsWith('/$1')) return { source: `${below}/*`, target: `${target.slice(0, -3)}/*`, status }
  const exact = /^(\/[\w/.-]*?)(?:\/\?)?$/.exec(bare)?.[1]
  return exact === undefined || target.includes('$') ? undefined : { source: exact, target, status }
}
