// The parts of the list of entries, one row per tab.

import type { MessageKey } from '../words.ts'

/** A tab of the list: its filter, and the text of its empty state. */
export interface ListTab {
  readonly key: string
  readonly label: MessageKey
  readonly where: Readonly<Record<string, unknown>>
  readonly empty: MessageKey
}

export const listTabs: readonly ListTab[] = [
  { key: 'all', label: 'content.tab_all', where: {}, empty: 'content.empty_all' },
  { key: 'published', label: 'content.published', where: { status: 'published' }, empty: 'content.empty_published' },
  { key: 'draft', label: 'content.tab_drafts', where: { status: 'draft' }, empty: 'content.empty_draft' },
  {
    key: 'scheduled',
    label: 'content.status_scheduled',
    where: { status: 'scheduled' },
    empty: 'content.empty_scheduled',
  },
  {
    key: 'private',
    label: 'content.status_private',
    where: { status: 'private' },
    empty: 'content.empty_private',
  },
  {
    key: 'waiting',
    label: 'content.changes_waiting',
    where: { staged: true },
    empty: 'content.empty_waiting',
  },
  {
    key: 'trash',
    label: 'content.tab_trash',
    where: { status: 'trash' },
    empty: 'content.empty_trash',
  },
]

export const tabOf = (key: string | undefined): ListTab => listTabs.find((one) => one.key === key) ?? (listTabs[0] as ListTab)
