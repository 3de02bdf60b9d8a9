// Terms, parents first. A term that the site has already is that term.

import { slugify, isSlug } from '../../../content/entries/slug.ts'
import { isReservedSlug } from '../../../content/entries/reserved-slugs.ts'
import type { EntryWriting } from '../../../content/entries/write-entry.ts'
import { writeOldAddresses } from '../../../content/redirects/old-addresses.ts'
import { findTaxonomy } from '../../../content/terms/taxonomies.ts'
import { findTerm, pathOfTerm } from '../../../content/terms/terms.ts'
import { changeTerm, insertTerm } from '../../../content/terms/write-term.ts'
import { digestOf } from '../../../imports/behind/digest.ts'
import { oldNames } from '../../../imports/behind/old-names.ts'
import { termKey } from '../../../imports/behind/scan.ts'
import type { ImportTerm } from '../../../imports/stream.ts'
import type { TermRow } from '../../../store/core/schema.ts'
import type { ImportJob } from './import-job.ts'
import { lineOf, textOf } from './lines.ts'

const atOnce = 100

/** The taxonomies of other systems that are those of this one. */
const sameTaxonomies: Readonly<Record<string, string>> = { post_tag: 'tag', tags: 'tag', categories: 'category' }

export async function importTerms(job: ImportJob): Promise<void> {
  const { scanned } = job
  const ordered = parentsFirst(scanned.terms)
  const start = job.startOf('terms')
  for (let from = 0; from < ordered.length; from += atOnce) {
    const part = ordered.slice(from, from + atOnce)
    const shown = { done: from + part.length, total: ordered.length }
    if (start === undefined || from < start) await readKnown(job, part)
    else
      await job.slice({ phase: 'terms', done: from + part.length, shown, note: 'terms' }, async (writing) => {
        for (const term of part) await importTerm(job, writing, term)
      })
  }
}

/** Finds the terms that an earlier run of the job has made. */
async function readKnown({ items, terms, book, context }: ImportJob, part: readonly ImportTerm[]): Promise<void> {
  for (const term of part) {
    const item = items.find('term', termKey(term))
    const row = item && (await findTerm(context.site.store.read, item.object_id))
    if (!row) continue
    terms.set(termKey(term), row.id)
    for (const address of term.addresses) book.setPath(address, pathOfTerm(row))
  }
}

function parentsFirst(terms: ReadonlyMap<string, ImportTerm>): readonly ImportTerm[] {
  const done = new Set<string>()
  const ordered: ImportTerm[] = []
  const visit = (term: ImportTerm, above: readonly string[]): void => {
    const key = termKey(term)
    if (done.has(key) || above.includes(key)) return
    const parent = term.parent === undefined ? undefined : terms.get(termKey({ taxonomy: term.taxonomy, slug: term.parent }))
    if (parent && above.length < 9) visit(parent, [...above, key])
    if (done.has(key)) return
    done.add(key)
    ordered.push(term)
  }
  for (const term of terms.values()) visit(term, [])
  return ordered
}

async function importTerm(job: ImportJob, writing: EntryWriting, term: ImportTerm): Promise<void> {
  const { items, terms, report, book } = job
  const taxonomy = await taxonomyFor(job, writing, term.taxonomy)
  if (taxonomy === undefined) return
  const key = termKey(term)
  const parent =
    taxonomy.tree && term.parent !== undefined ? terms.get(termKey({ taxonomy: term.taxonomy, slug: term.parent })) : undefined
  const name = lineOf(term.name, 200) || term.slug
  const given = { name, parent_id: parent ?? null, text: textOf(term.description ?? '', 2000) }
  const item = items.find('term', key)
  const known = item && (await findTerm(writing.change.db, item.object_id))
  const slug = slugOf(term, name)
  const here = known ?? (await findTerm(writing.change.db, `${taxonomy.slug}/${slug}`))
  const row = here
    ? await updated(job, writing, here, given, item?.digest)
    : await insertTerm(writing, taxonomy.slug, { ...given, slug })
  if (!here) report.count('terms.made')
  terms.set(key, row.id)
  const isOurs = !here || (item !== undefined && item.digest !== null)
  const ids = term.id === undefined || term.taxonomy !== 'category' ? [] : [`/?cat=${term.id}`]
  const addresses = [...term.addresses, ...ids]
  items.write(writing.change.db, 'term', key, {
    objectId: row.id,
    digest: isOurs ? digestOf('term', row) : null,
    addresses,
  })
  const path = pathOfTerm(row)
  for (const address of term.addresses) book.setPath(address, path)
  await writeOldAddresses(writing.change, oldNames(addresses, book.site, { targetKind: 'term', targetId: row.id, path }))
}

/** A term that the import made, and that nobody changed here, follows the old site. */
async function updated(
  { report }: ImportJob,
  writing: EntryWriting,
  here: TermRow,
  given: { readonly name: string; readonly parent_id: string | null; readonly text: string },
  digest: string | null | undefined,
): Promise<TermRow> {
  if (digest === undefined || digest === null) {
    report.count('terms.found')
    return here
  }
  if (digest !== digestOf('term', here)) {
    report.conflict({ kind: 'term', title: here.name, path: pathOfTerm(here), why: 'it was changed here since the last import' })
    return here
  }
  const { row, changed } = await changeTerm(writing, here, given)
  report.count(changed.length > 0 ? 'terms.updated' : 'terms.unchanged')
  return row
}

const slugOf = ({ slug }: ImportTerm, name: string): string => {
  const lower = slug.toLowerCase().normalize('NFKC')
  return isSlug(lower) ? lower : slugify(lower) || slugify(name) || 'term'
}

/** Returns the taxonomy here, and makes one that the site doesn't have. */
async function taxonomyFor({ report, options }: ImportJob, { change }: EntryWriting, name: string) {
  const slug =
    options.map?.[`taxonomy:${name}`] ??
    sameTaxonomies[name] ??
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
  const known = await findTaxonomy(change.db, slug)
  if (known) return known
  const isTaken = async () =>
    (await change.db.selectFrom('entry').select('id').where('path', '=', `/${slug}`).executeTakeFirst()) !== undefined
  const former = await change.db.selectFrom('taxonomy').select('slug').where('slug', '=', slug).executeTakeFirst()
  if (former || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(slug) || isReservedSlug(slug) || (await isTaken())) {
    report.loss('taxonomy', name, 'the site can have no taxonomy of this name; its terms are left out')
    return undefined
  }
  await change.insert('taxonomy', { slug, name, types: null, tree: 1, deleted: 0 })
  report.count('taxonomies.made')
  return { slug, name, types: null, tree: true }
}
