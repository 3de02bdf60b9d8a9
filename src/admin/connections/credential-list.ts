// The columns that the lists of personal tokens and of connected apps share.

import type { AppItem } from '../../actions/apps/app-item.ts'
import type { TokenItem } from '../../actions/shared/token-item.ts'
import { countChanges } from '../../activity/find.ts'
import { html } from '../../doors/shared/html.ts'
import { limitsInWords } from '../parts/limits-in-words.ts'
import { type Removal, removalForm } from '../parts/removal-form.ts'
import { scopeName } from '../parts/scope-words.ts'
import type { Column } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

type Item = TokenItem | AppItem

/** The columns for one page of the list. @param removalOf returns the text of the form that removes an item */
export async function credentialColumns(
  visit: SignedIn,
  items: readonly Item[],
  removalOf: (name: string) => Omit<Removal, 'id' | 'name'>,
) {
  const { t, site } = visit
  const count = await countChanges(site.store.read, items)
  return {
    access: {
      label: t('connections.access'),
      cell: ({ scope, limits }) => html`${scopeName(t, scope)} <small>${limitsInWords(t, limits)}</small>`,
    },
    lastUsed: { label: t('connections.last_used'), cell: (item) => shownTime(visit, item.last_used), wideOnly: true },
    changes: { label: t('connections.changes'), end: true, cell: ({ id }) => count(id), wideOnly: true },
    end: { label: t('connections.end'), cell: ({ id, name }) => removalForm(visit, { ...removalOf(name), id, name }) },
  } satisfies Record<string, Column<Item>>
}
