// The menus of the site, and the form that adds one.

import { menus } from '../../actions/classes/svc-menus/index.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { faultBox, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

export const menuPath = (id: string): string => `${adminPaths.menu}?id=${encodeURIComponent(id)}`

export const showMenus = (visit: SignedIn): Promise<Reply> => menusReply(visit)

export async function menusReply(visit: SignedIn, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, menus.list, {})
  const faults = faultsOf(t, failure, ['name', 'slug', 'location'])
  const body = html`${pageHead(t('shell.menus'), t('structure.menus_lead'))} ${faultBox(faults.all)}
  ${
    items.length === 0
      ? emptyState(t('structure.no_menu'), t('structure.no_menu_help'))
      : table(
          {
            caption: t('shell.menus'),
            rows: items,
            columns: [
              {
                label: t('structure.name'),
                cell: ({ name, id }) => html`<a href="${linkTo(visit.request, menuPath(id))}">${name}</a>`,
              },
              {
                label: t('structure.location'),
                cell: ({ location }) => location ?? html`<span class="quiet">${t('structure.not_shown')}</span>`,
              },
              { label: t('structure.items'), cell: ({ size }) => size, end: true },
              {
                label: t('structure.hidden'),
                cell: ({ hidden = 0 }) =>
                  hidden > 0 ? html`<span class="badge warn">${t('structure.hidden_items', { count: hidden })}</span>` : '',
                wideOnly: true,
              },
            ],
          },
          t,
        )
  }
  ${mayRun(visit, menus.create) && createForm(visit, fields, faults.at)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('shell.menus'), body }))
}

const createForm = (visit: SignedIn, fields: Fields | undefined, fault: (name: string) => string | undefined): Html =>
  html`<section class="panel" aria-labelledby="add">
    <h2 id="add">${visit.t('structure.add_menu')}</h2>
    ${postForm(visit, {
      path: adminPaths.menus,
      purpose: 'menus',
      hidden: { do: 'create' },
      body: html`<div class="two">
          ${textField({ name: 'name', label: visit.t('structure.name'), value: fields?.get('name'), placeholder: visit.t('structure.menu_example'), required: true, fault: fault('name') })}
          ${textField({ name: 'slug', label: visit.t('structure.slug'), value: fields?.get('slug'), help: visit.t('structure.slug_help'), placeholder: 'footer', required: true, fault: fault('slug') })}
        </div>
        ${textField({ name: 'location', label: visit.t('structure.location'), value: fields?.get('location'), help: visit.t('structure.location_help'), placeholder: 'footer', fault: fault('location') })}
        <p class="actions"><button class="primary">${visit.t('structure.add_this_menu')}</button></p>`,
    })}
  </section>`

const create: Work = async (visit, fields) => {
  const location = fields.get('location').trim() || null
  const { data, failure } = await run(visit, menus.create, {
    slug: fields.get('slug').trim(),
    name: fields.get('name').trim(),
    location,
  })
  return failure ? menusReply(visit, { failure, fields }) : goTo(visit, menuPath(data.item.id))
}

const remove: Work = async (visit, fields) => {
  const { failure } = await run(visit, menus.delete, { id: fields.get('id') })
  return failure ? menusReply(visit, { failure }) : goDone(visit, adminPaths.menus, menus.delete)
}

export const takeMenusForm = formTaker('menus', { create, delete: remove })
