// Forms: the list with what is new, and the form that makes one. A new form has the usual fields of a contact form.

import { forms } from '../../actions/forms/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { slugify } from '../../content/entries/slug.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, formTaker, postForm } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

export const formPath = (id: string): string => `${adminPaths.form}?id=${encodeURIComponent(id)}`

export const showForms = (visit: SignedIn): Promise<Reply> => formsReply(visit)

async function formsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, forms.list, {})
  const title = t('shell.forms')
  const body = html`${pageHead(title, t('structure.forms_lead'))}
  ${
    items.length === 0
      ? emptyState(t('structure.forms_empty'), t('structure.forms_empty_help'))
      : table(t, {
          caption: title,
          rows: items,
          columns: [
            {
              label: t('structure.name'),
              cell: ({ id, name, waiting = 0 }) =>
                html`<a href="${linkTo(visit.request, formPath(id))}">${name}</a>
                  ${waiting > 0 && html`<span class="badge good">${t('structure.form_new', { count: waiting })}</span>`}`,
            },
            {
              label: t('structure.form_section'),
              cell: ({ slug }) => html`<code>::: form {form="${slug}"}</code>`,
              wideOnly: true,
            },
          ],
        })
  }
  ${mayRun(visit, forms.create) && addPanel(visit, refused)}`
  return framedReply(visit, { title, body }, refused)
}

function addPanel(visit: SignedIn, { fields, failure }: Refused): Html {
  const { t } = visit
  const faults = faultsOf(t, failure, ['name', 'slug'])
  const form = postForm(visit, {
    path: adminPaths.forms,
    body: html`${textField({
        name: 'name',
        label: t('structure.name'),
        value: fields?.get('name'),
        placeholder: t('structure.form_example'),
        required: true,
        fault: faults.at('name') ?? faults.at('slug'),
      })}
      <p class="actions"><button class="primary">${t('structure.form_add')}</button></p>`,
  })
  return panel('new', t('structure.form_add_title'), form, 'card')
}

export const addForm = formTaker(
  adminPaths.forms,
  async (visit, given) => {
    const { t } = visit
    const name = given.get('name').trim()
    const fields = [
      { name: 'name', label: t('structure.form_your_name'), kind: 'text', required: true },
      { name: 'email', label: t('structure.form_your_email'), kind: 'email', required: true },
      { name: 'message', label: t('structure.form_your_message'), kind: 'lines', required: true },
    ] as const
    const { data, failure } = await run(visit, forms.create, { name, slug: slugify(name) || 'form', fields })
    return failure ?? goDone(visit, formPath(data.item.id), forms.create)
  },
  formsReply,
)
