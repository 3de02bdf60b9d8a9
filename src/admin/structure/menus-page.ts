// The menus of the site, and the form that adds one.

import { menusCreate, menusDelete, menusList } from '../../actions/classes/svc-menus.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { doneBox, faultBox, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { counted, emptyState, pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

/** The page of one menu. */
export const menuPath = (id: string): string => `${adminPaths.menu}?id=${encodeURIComponent(id)}`

/** GET */
export const showMenus = (visit: SignedIn): Promise<Reply> => menusReply(visit)

export async function menusReply(visit: SignedIn, { failure, fields }: View = {}): Promise<Reply> {
  const { items } = await get(visit, menusList, {})
  const faults = faultsOf(failure, ['name', 'slug', 'location'])
  const body = html`${pageHead('Menus', 'The links at the top, at the bottom or at the side of the site. The theme says where each location is.')}
  ${doneBox(visit.request.query.get('done') === 'deleted' ? 'Deleted. Activity can take it back.' : undefined)}
  ${faultBox(faults.rest)}
  ${
    items.length === 0
      ? emptyState('No menu yet', 'Add one below. The location “main” is the menu at the top of most themes.')
      : table({
          caption: 'Menus',
          rows: items,
          columns: [
            { label: 'Name', cell: ({ name, id }) => html`<a href="${linkTo(visit.request, menuPath(id))}">${name}</a>` },
            { label: 'Location', cell: ({ location }) => location ?? html`<span class="quiet">not shown</span>` },
            { label: 'Items', cell: ({ size }) => size, end: true },
            {
              label: 'Hidden',
              cell: ({ hidden = 0 }) =>
                hidden > 0 ? html`<span class="badge warn">${counted(hidden, 'hidden item')}</span>` : '',
              wideOnly: true,
            },
          ],
        })
  }
  ${mayRun(visit, menusCreate) && createForm(visit, fields, faults.at)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Menus', body }))
}

const createForm = (visit: SignedIn, fields: Fields | undefined, fault: (name: string) => string | undefined): Html =>
  html`<section class="panel" aria-labelledby="add">
    <h2 id="add">Add a menu</h2>
    ${postForm(visit, {
      path: adminPaths.menus,
      purpose: 'menus',
      hidden: { do: 'create' },
      body: html`<div class="two">
          ${textField({ name: 'name', label: 'Name', value: fields?.get('name'), placeholder: 'Footer', required: true, fault: fault('name') })}
          ${textField({ name: 'slug', label: 'Slug', value: fields?.get('slug'), help: 'Lower-case letters, digits and hyphens.', placeholder: 'footer', required: true, fault: fault('slug') })}
        </div>
        ${textField({ name: 'location', label: 'Location', value: fields?.get('location'), help: 'Where the theme shows it, such as main or footer.', placeholder: 'footer', fault: fault('location') })}
        <p class="actions"><button class="primary">Add the menu</button></p>`,
    })}
  </section>`

const create: Work = async (visit, fields) => {
  const location = fields.get('location').trim() || null
  const { data, failure } = await run(visit, menusCreate, {
    slug: fields.get('slug').trim(),
    name: fields.get('name').trim(),
    location,
  })
  return failure ? menusReply(visit, { failure, fields }) : goTo(visit, menuPath(data.item.id))
}

const remove: Work = async (visit, fields) => {
  const { failure } = await run(visit, menusDelete, { id: fields.get('id') })
  return failure ? menusReply(visit, { failure }) : goTo(visit, `${adminPaths.menus}?done=deleted`)
}

/** POST */
export const takeMenusForm = formTaker('menus', { create, delete: remove })
