// Authors become profiles: the account with their e-mail address, or a new one that can't sign in.

import { slugify } from '../../../content/entries/slug.ts'
import { writeOldAddresses } from '../../../content/redirects/old-addresses.ts'
import { findAccount, normalEmail, readEmail } from '../../../identity/account-store.ts'
import { oldNames } from '../../../imports/behind/old-names.ts'
import type { ImportAuthor } from '../../../imports/stream.ts'
import type { Change } from '../../../store/change/change.ts'
import { findFreeSlug, insertProfile } from '../insert-profile.ts'
import type { ImportJob } from './import-job.ts'
import { lineOf } from './lines.ts'

export async function importAuthors(job: ImportJob): Promise<void> {
  const { scanned, items, accounts } = job
  const authors = [...scanned.authors.values()]
  const known = await job.context.site.store.read.selectFrom('account').select('id').execute()
  const ids = new Set(known.map(({ id }) => id))
  for (const { id } of authors) {
    const item = items.find('author', id)
    if (item && ids.has(item.object_id)) accounts.set(id, item.object_id)
  }
  const missing = authors.filter(({ id }) => !accounts.has(id))
  for (let from = 0; from < missing.length; from += 50) {
    const part = missing.slice(from, from + 50)
    const shown = { done: from + part.length, total: missing.length }
    await job.slice({ phase: 'authors', done: 0, shown, note: 'authors' }, async ({ change }) => {
      for (const author of part) await importAuthor(job, change, author)
    })
  }
}

async function importAuthor({ items, accounts, book, report }: ImportJob, change: Change, author: ImportAuthor): Promise<void> {
  const email = emailOf(author)
  const same = email === undefined ? undefined : await findAccount(change.db, email)
  const account = same ?? (await insertAuthor(change, author, email))
  report.count(same ? 'authors.found' : 'authors.made')
  accounts.set(author.id, account.id)
  items.write(change.db, 'author', author.id, { objectId: account.id, digest: same ? null : '', addresses: author.addresses })
  await writeOldAddresses(
    change,
    oldNames(author.addresses, book.site, {
      targetKind: 'account',
      targetId: account.id,
      path: account.slug === null ? undefined : `/author/${account.slug}`,
    }),
  )
}

function emailOf({ email }: ImportAuthor): string | undefined {
  if (email === undefined) return undefined
  try {
    return readEmail(normalEmail(email))
  } catch {
    return undefined
  }
}

async function insertAuthor(change: Change, author: ImportAuthor, email: string | undefined) {
  const name = lineOf(author.name, 200) || author.id.slice(0, 200) || 'Author'
  const slug = await findFreeSlug(change.db, slugify(author.id) || slugify(name) || 'author')
  return insertProfile(change, { slug, name, bio: author.bio, email })
}
