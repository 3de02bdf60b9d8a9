// The menus of the site, and the form that adds one.

import { menus } from '../../actions/menus/index.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { declareForm, formPanel } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { onItem, taking } from '../parts/form-input.ts'
import { formTaker } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import { labelOf, locationChoices, locationLabels } from './menu-locations.ts'
import type { SignedIn } from '../visit.ts'

export const menuPath = (id: string): string => `${adminPaths.menu}?id=${encodeURIComponent(id)}`

const createForm = declareForm(menus.create, { path: adminPaths.menus, does: 'create', button: 'structure.add_this_menu' }, [
  { name: 'name', label: 'structure.name', placeholder: 'structure.menu_example', required: true },
  { name: 'location', label: 'structure.location', control: 'select', help: 'structure.location_help' },
  {
    folded: 'structure.short_name',
    rows: [{ name: 'slug', label: 'structure.short_name', help: 'structure.short_name_help', madeFrom: 'name' }],
  },
])

export const showMenus = (visit: SignedIn): Promise<Reply> => menusReply(visit)

async function menusReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, menus.list, {})
  const labels = await locationLabels(visit)
  const choices = { location: await locationChoices(visit, null) }
  const body = html`${pageHead(t('shell.menus'), t('structure.menus_lead'))}
  ${
    items.length === 0
      ? emptyState(t('structure.no_menu'), t('structure.no_menu_help'))
      : table(t, {
          caption: t('shell.menus'),
          rows: items,
          columns: [
            {
              label: t('structure.name'),
              cell: ({ name, id }) => html`<a href="${linkTo(visit.request, menuPath(id))}">${name}</a>`,
            },
            {
              label: t('structure.location'),
              cell: ({ location }) =>
                location === null ? html`<span class="quiet">${t('structure.not_shown')}</span>` : labelOf(labels, location),
            },
            { label: t('structure.items'), cell: ({ size }) => size, end: true },
            {
              label: t('structure.hidden'),
              cell: ({ hidden = 0 }) =>
                hidden > 0 ? html`<span class="badge warn">${t('structure.hidden_items', { count: hidden })}</span>` : '',
              wideOnly: true,
            },
          ],
        })
  }
  ${mayRun(visit, menus.create) && formPanel(visit, { id: 'add', title: t('structure.add_menu'), form: createForm, refused, choices })}`
  return framedReply(visit, { title: t('shell.menus'), body }, refused)
}

const works = {
  create: taking(createForm, (visit, { item }) => goTo(visit, menuPath(item.id))),
  delete: onItem(menus.delete, (visit) => goDone(visit, adminPaths.menus, menus.delete)),
}

export const takeMenusForm = formTaker(adminPaths.menus, works, menusReply)
