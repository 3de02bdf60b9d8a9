// Names for the ids in a difference: a picture with its name, the title of an entry, the name of a person. An id stays an id if the
// reader may not look it up, or if its object is gone.

import { content } from '../../actions/content/index.ts'
import { media } from '../../actions/media/index.ts'
import { attribute, html, type HtmlValue } from '../../doors/shared/html.ts'
import { namesOfAccounts } from '../../identity/account-store.ts'
import { run } from '../page.ts'
import type { SignedIn } from '../visit.ts'

/** The text or picture that is shown for each id. */
export type NamedIds = ReadonlyMap<string, HtmlValue>

/** The number of ids of one page that are looked up. */
const maxIds = 100
const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/

/** Looks up the ids among the values of a difference, also within lists. */
export async function namedIds(
  visit: SignedIn,
  diff: readonly { readonly before?: unknown; readonly after?: unknown }[],
): Promise<NamedIds> {
  const ids = [...new Set(diff.flatMap(({ before, after }) => [before, after].flat()).filter(isId))].slice(0, maxIds)
  if (ids.length === 0) return new Map()
  const where = { id: { in: ids } }
  const { data: files } = await run(
    visit,
    media.list,
    { where, limit: maxIds },
    { select: ['id', 'filename', 'kind', 'url', 'variants'] },
  )
  const { data: entries } = await run(visit, content.list, { where, limit: maxIds }, { select: ['id', 'title'] })
  return new Map<string, HtmlValue>([
    ...(await namesOfAccounts(visit.site.store.read, ids)),
    ...(entries?.items ?? []).map(({ id, title }) => [id, title || visit.t('content.without_title')] as const),
    ...(files?.items ?? []).map((file) => [file.id, picture(file)] as const),
  ])
}

const isId = (value: unknown): value is string => typeof value === 'string' && idForm.test(value)

interface File {
  readonly filename: string
  readonly kind: string
  readonly url?: string | null | undefined
  readonly variants?: readonly { readonly width: number; readonly height: number; readonly url: string }[] | undefined
}

function picture({ filename, kind, url, variants = [] }: File): HtmlValue {
  const size = variants.find(({ width }) => width >= 200) ?? variants.at(-1)
  const address = size?.url ?? url
  if (!kind.startsWith('image/') || !address) return filename
  return html`<span class="small-picture"
    ><img src="${address}" alt="" loading="lazy" ${attribute('width', size?.width)} ${attribute('height', size?.height)} />
    ${filename}</span
  >`
}
