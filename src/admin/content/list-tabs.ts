// The parts of the list of entries, one row per tab.

/** A tab of the list: what it shows, and what its empty state says. */
export interface ListTab {
  readonly key: string
  readonly label: string
  readonly where: Readonly<Record<string, unknown>>
  readonly empty: string
}

export const listTabs: readonly ListTab[] = [
  { key: 'all', label: 'All', where: {}, empty: 'Write the first entry. It stays a draft until you publish it.' },
  { key: 'published', label: 'Published', where: { status: 'published' }, empty: 'Open a draft and publish it.' },
  { key: 'draft', label: 'Drafts', where: { status: 'draft' }, empty: 'New entries are drafts until you publish them.' },
  {
    key: 'scheduled',
    label: 'Scheduled',
    where: { status: 'scheduled' },
    empty: 'Give a draft a publication date that lies ahead, and publish it.',
  },
  {
    key: 'private',
    label: 'Private',
    where: { status: 'private' },
    empty: 'Private entries are seen only by people who sign in.',
  },
  {
    key: 'waiting',
    label: 'Changes waiting',
    where: { staged: true },
    empty: 'Changes of published entries that were saved for later stand here until somebody publishes them.',
  },
  {
    key: 'trash',
    label: 'Trash',
    where: { status: 'trash' },
    empty: 'Entries that are moved to the trash can be put back from here.',
  },
]

export const tabOf = (key: string | undefined): ListTab => listTabs.find((one) => one.key === key) ?? (listTabs[0] as ListTab)
