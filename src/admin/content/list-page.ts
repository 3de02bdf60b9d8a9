// The list of entries: by type and status, with search, and a bar with the bulk actions.

import { content } from '../../actions/content/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { usualType } from '../../content/types/entry-types.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { namesOfAccounts } from '../../identity/account-store.ts'
import { sentenceOf } from '../failure.ts'
import { mayRun } from '../navigation.ts'
import { run } from '../page.ts'
import { faultBox } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { type Column, emptyState, firstBox, pageHead, searchField, table, tabs } from '../parts/table.ts'
import { shownDay } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { bulkBar, bulkForm, refusedField } from './bulk-bar.ts'
import { type ListTab, listTabs, tabOf } from './list-tabs.ts'
import { statusBadges } from './status-badges.ts'
import { newEntryWords, typeName } from './type-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** The most calls of a batch, which publishes the selected entries. */
const pageRows = 50
const listSelect = [
  'id',
  'type',
  'title',
  'path',
  'status',
  'staged',
  'has_password',
  'author',
  'published_at',
  'updated_at',
] as const

type Item = AnswerOf<typeof content.list.output, (typeof listSelect)[number]>['items'][number]

/** GET; `type`, `show`, `search`, `sort` and `cursor` choose what is listed. */
export const showContent = (visit: SignedIn): Promise<Reply> => contentReply(visit)

/** The list, with the reason if the selected entries could not be changed. */
export async function contentReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { request, site, t } = visit
  const address = listAddress(request, adminPaths.content)
  const tab = tabOf(address.get('show'))
  const type = site.types.current.slugs.find((slug) => slug === address.get('type'))
  const search = address.get('search')
  const sort = address.get('sort') ?? (search === undefined ? '-updated_at' : undefined)
  const found = await run(
    visit,
    content.list,
    {
      where: tab.where,
      limit: pageRows,
      count: true,
      ...(type === undefined ? {} : { type }),
      ...(sort === undefined ? {} : { sort }),
      ...address.pick('search', 'cursor'),
    },
    { select: listSelect },
  )
  const { data } = found
  const failure = refused.failure ?? found.failure
  const items = data?.items ?? []
  const names = await namesOfAccounts(
    site.store.read,
    items.flatMap(({ author }) => author ?? []),
  )
  const isNothing = refused.fields?.all('ids').length === 0
  const toBoxes = isNothing && items.length > 0 ? { id: firstBox, label: t('parts.table_select') } : undefined
  const body = html`${head(visit, type, data)}
  ${faultBox(refusedField(refused) ? undefined : failure && sentenceOf(failure, t), toBoxes)} ${typeTabs(visit, address, type)}
  ${tabs(
    t('content.status'),
    listTabs.map((one) => statusTab(visit, one, address, tab)),
  )}
  ${searchField(t, linkTo(request, adminPaths.content), search, t('content.search'), { type, show: tab.key })}
  ${items.length === 0 ? nothing(visit, { tab, type, search, address }) : entryTable(visit, { items, names, address, tab, sort, refused })}
  ${pagerOf(address.with({}), data?.next_cursor ?? null, t)}`
  return framedReply(visit, { title: t('content.content'), body, kind: 'full' }, { failure })
}

const statusTab = ({ t }: SignedIn, { key, label }: ListTab, address: ListAddress, open: ListTab) => ({
  label: t(label),
  href: address.with({ show: key === 'all' ? undefined : key }),
  current: key === open.key,
})

function head(visit: SignedIn, type: string | undefined, data: { total?: number; total_at_least?: boolean } | undefined): Html {
  const { t } = visit
  const count =
    data?.total === undefined ? undefined : t(data.total_at_least ? 'content.count_more' : 'content.count', { count: data.total })
  const types = visit.site.types.current.all.filter(({ slug }) => type === undefined || slug === type)
  const inReach = types.find(({ dated }) => dated) ?? types[0]
  const buttons = types.map(
    (one, place) =>
      html`<a
        class="button${place === 0 ? ' primary' : ''}${one === inReach ? ' thumb-reach' : ''}"
        href="${linkTo(visit.request, adminPaths.newEntry)}?type=${one.slug}"
        >${newEntryWords(t, one)}</a
      >`,
  )
  return pageHead(t('content.content'), count, mayRun(visit, content.create) ? buttons : undefined)
}

const typeTabs = (visit: SignedIn, address: ListAddress, type: string | undefined): HtmlValue => {
  const { t } = visit
  const { all } = visit.site.types.current
  return tabs(t('content.type'), [
    { label: t('content.every_type'), href: address.with({ type: undefined }), current: type === undefined },
    ...all.map((one) => ({ label: typeName(t, one), href: address.with({ type: one.slug }), current: one.slug === type })),
  ])
}

interface Shown {
  readonly items: readonly Item[]
  readonly names: ReadonlyMap<string, string>
  readonly address: ListAddress
  readonly tab: ListTab
  readonly sort: string | undefined
  readonly refused: Refused
}

function entryTable(visit: SignedIn, { items, names, address, tab, sort, refused }: Shown): Html {
  const { request, site, t } = visit
  const mayWrite = mayRun(visit, content.updateMany)
  const columns: readonly Column<Item>[] = [
    {
      label: t('content.title'),
      sort: 'title',
      cell: (item) => {
        const editor = `${linkTo(request, adminPaths.editEntry)}?id=${item.id}`
        return html`<a href="${editor}">${item.title === '' ? t('content.without_title') : item.title}</a>
          ${item.path !== null && html`<small class="path">${item.path}</small>`}
          <span class="phone-only">${statusBadges(t, item)}</span>`
      },
    },
    { label: t('content.status'), wideOnly: true, cell: (item) => statusBadges(t, item) },
    { label: t('content.type'), wideOnly: true, cell: ({ type }) => typeName(t, site.types.current.of(type)) },
    { label: t('content.author'), wideOnly: true, cell: ({ author }) => (author == null ? '' : (names.get(author) ?? '')) },
    {
      label: t('content.published'),
      sort: 'published_at',
      wideOnly: true,
      end: true,
      cell: ({ published_at: at }) => shownDay(visit, at, '–'),
    },
    {
      label: t('content.changed'),
      sort: 'updated_at',
      wideOnly: true,
      end: true,
      cell: ({ updated_at: at }) => shownDay(visit, at),
    },
  ]
  return html`${table<Item>(t, {
    caption: t('content.entries'),
    columns,
    rows: items,
    query: address,
    sort: sort ?? '',
    select: mayWrite
      ? { form: bulkForm, id: ({ id }) => id, name: ({ title }) => title, chosen: refused.fields?.all('ids') }
      : undefined,
  })}
  ${mayWrite && bulkBar(visit, tab.key === 'trash', refused)}`
}

interface Empty {
  readonly tab: ListTab
  readonly type: string | undefined
  readonly search: string | undefined
  readonly address: ListAddress
}

function nothing(visit: SignedIn, { tab, type, search, address }: Empty): Html {
  const { t } = visit
  if (search !== undefined)
    return emptyState(
      t('content.not_found'),
      t('content.not_found_help', { words: search }),
      html`<a class="button" href="${address.with({ search: undefined })}">${t('content.show_all')}</a>`,
    )
  const chosen = visit.site.types.current.of(type ?? usualType)
  const next =
    tab.key === 'trash' || !mayRun(visit, content.create)
      ? undefined
      : html`<a class="button" href="${linkTo(visit.request, adminPaths.newEntry)}?type=${type ?? usualType}"
          >${newEntryWords(t, chosen)}</a
        >`
  return emptyState(t(tab.key === 'trash' ? 'content.empty_trash_title' : 'content.empty'), t(tab.empty), next)
}
