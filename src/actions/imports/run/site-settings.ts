// Title, tagline, language and time zone of the old site, for a site that has none of its own yet. What somebody has set here
// stays, unless the call asks for the other. What an earlier import has set follows the old site.

import { isReservedSlug } from '../../../content/entries/reserved-slugs.ts'
import { moveLanguages } from '../../../content/languages/move-languages.ts'
import { type Languages, readLanguages } from '../../../content/languages/languages.ts'
import type { EntryWriting } from '../../../content/entries/write-entry.ts'
import { digestOfValue } from '../../../imports/behind/digest.ts'
import type { Items } from '../../../imports/behind/items.ts'
import type { Report } from '../../../imports/behind/report.ts'
import type { Scan } from '../../../imports/behind/scan.ts'
import type { ImportSite } from '../../../imports/stream.ts'
import { definitionOf } from '../../../settings/definitions.ts'
import type { Db } from '../../../store/core/database.ts'
import { findExamples } from '../../site/examples.ts'
import type { ImportOptions } from '../options.ts'
import { lineOf } from './lines.ts'

export type SiteSetting = 'site_title' | 'site_tagline' | 'language' | 'languages' | 'time_zone'
type SettingValue = string | readonly string[]

/** The settings that a run takes over, and those that it leaves, each with the value of the old site. */
export interface PlannedSettings {
  readonly taken: ReadonlyMap<SiteSetting, SettingValue>
  readonly left: readonly { readonly key: SiteSetting; readonly value: string; readonly why: string }[]
}

/** Plans the settings. Nothing is changed. */
export async function planSettings(
  db: Db,
  { scanned, items, options }: { readonly scanned: Scan; readonly items: Items; readonly options: ImportOptions },
): Promise<PlannedSettings> {
  const taken = new Map<SiteSetting, SettingValue>()
  const left: { key: SiteSetting; value: string; why: string }[] = []
  if (options.site === 'never') return { taken, left }
  const rows = await db.selectFrom('setting').select(['key', 'value']).execute()
  const values = new Map(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]))
  for (const [key, given] of Object.entries(valuesOf(scanned.site)) as [SiteSetting, string][]) {
    const parsed = definitionOf(key).parse(given)
    if (!('value' in parsed) || parsed.value === (values.get(key) ?? definitionOf(key).fallback)) continue
    const value = parsed.value as string
    const isOurs = items.find('setting', key)?.digest === digestOfValue(values.get(key))
    if (key === 'language' && (await staysLanguage(db, value))) continue
    if (!values.has(key) || isOurs || options.site === 'always') taken.set(key, value)
    else left.push({ key, value, why: 'it was set here; `site: always` takes that of the old site' })
  }
  const further = await furtherLanguages(db, scanned, taken.get('language') as string | undefined)
  if (further.length > 0) taken.set('languages', further)
  return { taken, left }
}

/** The languages of the entries besides that of the site, for a site without entries and further languages of its own. */
async function furtherLanguages(db: Db, { report }: Scan, main: string | undefined): Promise<readonly string[]> {
  const languages = await readLanguages(db)
  if (languages.further.length > 0 || (await hasOwnEntries(db))) return []
  const first = baseOf(main ?? languages.main)
  const tags = Object.keys(report.data().counts).flatMap((name) => /^language\.(.+)$/.exec(name)?.[1]?.replaceAll('_', '-') ?? [])
  const parsed = tags.flatMap((tag) => {
    const found = definitionOf('languages').parse([tag])
    return 'value' in found && baseOf(tag) !== first && !isReservedSlug(tag.toLowerCase())
      ? (found.value as readonly string[])
      : []
  })
  return [...new Set(parsed)].sort().slice(0, 20)
}

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

/** True if the site has entries besides the examples with which it began. */
async function hasOwnEntries(db: Db): Promise<boolean> {
  const examples = new Set((await findExamples(db)).unchanged.map(({ id }) => id))
  const rows = await db
    .selectFrom('entry')
    .select('id')
    .where('status', '!=', 'trash')
    .limit(examples.size + 1)
    .execute()
  return rows.some(({ id }) => !examples.has(id))
}

function valuesOf({ title, tagline, language, timeZone }: ImportSite): Partial<Record<SiteSetting, string>> {
  const titleLine = lineOf(title ?? '', 200)
  const taglineLine = lineOf(tagline ?? '', 300)
  return {
    ...(titleLine !== '' && { site_title: titleLine }),
    ...(taglineLine !== '' && { site_tagline: taglineLine }),
    ...(language !== undefined && { language: language.replaceAll('_', '-') }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
  }
}

/** True if the language of the site stays: it is the same or a further one, or texts of its owner are in it. */
async function staysLanguage(db: Db, tag: string): Promise<boolean> {
  const { main, further } = await readLanguages(db)
  return [main, ...further].some((one) => baseOf(one) === baseOf(tag)) || hasOwnEntries(db)
}

/** Writes the settings of a plan, and tells the report of them. */
export async function writeSettings(
  writing: EntryWriting,
  { taken, left }: PlannedSettings,
  { items, report }: { readonly items: Items; readonly report: Report },
): Promise<void> {
  const { change } = writing
  const before = await readLanguages(change.db)
  for (const [key, value] of taken) {
    const row = await change.db.selectFrom('setting').selectAll().where('key', '=', key).executeTakeFirst()
    const patch = { value: JSON.stringify(value) }
    await (row ? change.update('setting', row, patch) : change.insert('setting', { key, ...patch }))
    items.write(change.db, 'setting', key, { objectId: key, digest: digestOfValue(value) })
    report.setting(key, shownSetting(value))
  }
  if (taken.has('language') || taken.has('languages')) await moveLanguages(writing, before, await readLanguages(change.db))
  for (const { key, value, why } of left) report.loss('setting', `${key} ${JSON.stringify(value)}`, why)
}

/** Returns the languages that a plan takes over. */
export const languagesOf = (taken: PlannedSettings['taken']): Partial<Languages> => ({
  ...(taken.has('language') && { main: taken.get('language') as string }),
  ...(taken.has('languages') && { further: taken.get('languages') as readonly string[] }),
})

/** Returns a value as reports show it. */
export const shownSetting = (value: SettingValue): string => (typeof value === 'string' ? value : value.join(', '))
