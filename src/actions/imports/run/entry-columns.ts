// The columns of an imported entry.

import type { ReadonlyPackedMap } from '../../../base/packed-map.ts'
import { maxExcerptChars, maxSeoChars, maxTitleChars } from '../../../content/entries/entry-text.ts'
import type { NewEntry } from '../../../content/entries/write-entry.ts'
import { maxTermsOfEntry, termsColumn } from '../../../content/terms/terms.ts'
import type { ConvertedEntry } from '../../../imports/behind/converted-entry.ts'
import { type PlannedPlace } from '../../../imports/behind/plan-paths.ts'
import { parentOf, termKey } from '../../../imports/behind/scan.ts'
import { utcOf } from '../../../imports/behind/times.ts'
import type { ImportEntry } from '../../../imports/stream.ts'
import type { EntryRow } from '../../../store/core/schema.ts'
import type { ImportJob } from './import-job.ts'
import { lineOf, textOf } from './lines.ts'

export interface EntryColumns extends NewEntry, Pick<EntryRow, 'created_at' | 'updated_at'> {}

/** Returns the columns of an entry. @param cover the id of its picture */
export function columnsOfEntry(
  job: ImportJob,
  converted: ConvertedEntry,
  place: PlannedPlace,
  cover: string | null,
  now: number,
): EntryColumns {
  const { entry, markdown, excerpt, isRaw } = converted
  const { accounts, terms, zone, places, scanned } = job
  const published = utcOf(entry.publishedAt, zone)
  const updated = utcOf(entry.updatedAt, zone)
  const facts = scanned.entries.get(entry.id)
  const parent = facts && facts.depth > 0 ? parentOf(scanned.entries, facts) : undefined
  const ids = entry.terms.flatMap((term) => terms.get(termKey(term)) ?? []).slice(0, maxTermsOfEntry)
  const summary = textOf(entry.excerpt ?? excerpt ?? '', maxExcerptChars)
  return {
    type: place.type,
    title: lineOf(entry.title, maxTitleChars) || lineOf(summary || markdown.replace(/[#*_`>[\]]/g, ''), 60) || '–',
    body: markdown.replaceAll('\0', '').toWellFormed(),
    excerpt: summary === '' ? null : summary,
    ...statusOf(job, entry, { isRaw, published, updated, now }),
    author_id: entry.author === undefined ? null : (accounts.get(entry.author) ?? null),
    parent_id: parent ? (parentId(job, parent.id, places) ?? null) : null,
    position: Number.isSafeInteger(entry.position) ? (entry.position ?? 0) : 0,
    seo: seoOf(entry),
    terms: termsColumn(ids),
    locale: place.locale ?? null,
    cover,
    created_at: published ?? updated ?? now,
    updated_at: updated ?? published ?? now,
  }
}

/** The entry here above another: one that was imported, or one of this site whose path the old one would have had. */
const parentId = ({ items }: ImportJob, id: string, places: ReadonlyPackedMap<PlannedPlace>): string | undefined =>
  items.find('entry', id)?.object_id ?? places.get(id)?.adopts

interface Times {
  readonly isRaw: boolean
  readonly published: number | undefined
  readonly updated: number | undefined
  readonly now: number
}

function statusOf({ options, zone }: ImportJob, entry: ImportEntry, { isRaw, published, updated, now }: Times) {
  const ends = utcOf(entry.unpublishAt, zone) ?? null
  const isDraft = options.status === 'draft' || isRaw || entry.status === 'draft' || entry.status === 'held'
  if (isDraft) return { status: 'draft', published_at: null, unpublish_at: null }
  if (entry.status === 'scheduled' && published === undefined) return { status: 'draft', published_at: null, unpublish_at: null }
  const at = published ?? updated ?? now
  return {
    status: at > now ? 'scheduled' : 'published',
    published_at: at,
    unpublish_at: ends !== null && ends > at ? ends : null,
  }
}

function seoOf({ seo }: ImportEntry): string {
  const given = {
    ...(seo?.title && { title: lineOf(seo.title, maxSeoChars) }),
    ...(seo?.description && { description: lineOf(seo.description, maxSeoChars) }),
    ...(seo?.noindex === true && { noindex: true }),
  }
  return JSON.stringify(given)
}
