// Translations, menus and redirects. They refer to entries, so they are written once all entries are there.

import { checkOneTranslation } from '../../../content/languages/translations.ts'
import type { EntryWriting } from '../../../content/entries/write-entry.ts'
import { Failure } from '../../../base/failure.ts'
import { toSource, toTarget } from '../../../content/redirects/redirect-rules.ts'
import { writeRedirects } from '../../../content/redirects/redirects.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import { createTurns } from '../../../imports/behind/turns.ts'
import type { ImportRedirect } from '../../../imports/stream.ts'
import { savepoint } from '../../../store/core/queued-writes.ts'
import type { ImportJob, Reached } from './import-job.ts'
import { importMenu } from './menus.ts'

export async function importLinks(job: ImportJob): Promise<void> {
  const start = job.startOf('links')
  if (start === undefined) return
  const groups = await translationGroups(job)
  const atOnce = 50
  for (let from = start; from < groups.length; from += atOnce) {
    const part = groups.slice(from, from + atOnce)
    await job.slice(reached(from + part.length, groups.length, 'translations'), async (writing) => {
      for (const group of part) await skipRefused(job, writing, group[0] ?? '', () => joinTranslations(job, writing, group))
    })
  }
  const { menus, redirects } = job.scanned
  if (menus.length + redirects.length === 0 || start > groups.length) return
  const to = { phase: 'links' as const, done: groups.length + 1, note: 'menus and redirects' }
  await job.slice(to, async (writing) => {
    for (const menu of menus) await skipRefused(job, writing, menu.name, () => importMenu(job, writing, menu))
    await importRedirects(job, writing, redirects)
  })
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
async function translationGroups({ scanned, items }: ImportJob): Promise<readonly (readonly string[])[]> {
  const groups = new Map<string, string[]>()
  const turn = createTurns()
  for (const { id, translations } of scanned.entries.values()) {
    await turn()
    if (translations === undefined || !items.find('entry', id)) continue
    const group = groups.get(translations)
    if (group) group.push(id)
    else groups.set(translations, [id])
  }
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
