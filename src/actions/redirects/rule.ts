// A redirect in the input of a call, and the write of one redirect.

import type { Db } from '../../store/core/database.ts'
import { Failure } from '../../base/failure.ts'
import { Type } from 'typebox'
import { redirectStatuses, toSource } from '../../content/redirects/redirect-rules.ts'
import { type RedirectDraft, writeRedirects } from '../../content/redirects/redirects.ts'
import { nullable, itemAnswer, itemOutput } from '../call/write-answer.ts'
import type { Context, WriteContext } from '../call/action.ts'
import { pathOnSite } from '../shared/own-address.ts'
import { hitsOf, itemOf, redirectItem, findRedirect } from './item.ts'
import { nonEmptyText, clearableText } from '../../base/schema.ts'

const maxChars = 1100

export const from = nonEmptyText(
  'The old path, such as `/old-shop`, `/old/*` for all paths below one, or `/index.php?page=about` with a query.',
  maxChars,
)

export const to = nullable(
  Type.String({ minLength: 1, maxLength: maxChars }),
  'The new path or https:// address; null says that the page is gone for good (410). `/new/*` keeps what `*` stands for in `from`.',
)

export const status = Type.Optional(
  Type.Enum([...redirectStatuses], { description: '301 and 308 are for good, 302 and 307 for a while. The default is 301.' }),
)

export const note = clearableText('Why it is there.', 500)

export const output = itemOutput(redirectItem)

/** @throws Failure `exists` if there is a redirect from this path */
export async function checkFree(db: Db, source: string): Promise<void> {
  const taken = await findRedirect(db, source)
  if (taken?.source !== source) return
  throw new Failure('exists', `There is a redirect from ${source} already.`, {
    field: 'from',
    by: { id: taken.id, to: taken.target },
    hint: 'SVC_Redirects.update changes it, and put-many replaces it.',
  })
}

const publicNames: Readonly<Record<string, string>> = { source: 'from', target: 'to' }

export async function wrote(context: WriteContext, draft: RedirectDraft) {
  const [written] = await writeRedirects(context.change, [draft], 'hand')
  if (!written) throw new Error('A redirect was not written.')
  const hit = (await hitsOf(context.db, [written.row])).get(written.row.id)
  const changed = written.changed.filter((column) => column !== 'origin').map((column) => publicNames[column] ?? column)
  return itemAnswer(itemOf(written.row, hit, context.select !== undefined), changed)
}

/**
 * Reads the path from which a redirect leads, which may come as a whole address of this site.
 * @throws Failure `invalid`, `refused`
 */
export const sourceOf = (context: Pick<Context, 'site' | 'origin'>, given: string, field?: string): string =>
  toSource(pathAndQuery(context, given), field)

/** Returns the path and the query of an address of this site. Other texts stay as they are. */
function pathAndQuery(context: Pick<Context, 'site' | 'origin'>, given: string): string {
  const path = given.includes('#') ? undefined : pathOnSite(context, given)
  const at = given.indexOf('?')
  return path === undefined ? given : path + (at < 0 ? '' : given.slice(at))
}
