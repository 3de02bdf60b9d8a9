// The types of entries, and the form that adds a type.

import { types } from '../../actions/classes/svc-types/index.ts'
import { html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { checkField, faultBox, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

export const typePath = (slug: string): string => `${adminPaths.type}?id=${encodeURIComponent(slug)}`

export const showTypes = (visit: SignedIn): Promise<Reply> => typesReply(visit)

async function typesReply(visit: SignedIn, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, types.list, { limit: 100 })
  const faults = faultsOf(t, failure, ['name', 'slug', 'path'])
  const body = html`${pageHead(t('shell.types'), t('structure.types_lead'))} ${faultBox(faults.all)}
  ${table(
    {
      caption: t('shell.types'),
      rows: items,
      columns: [
        {
          label: t('structure.name'),
          cell: ({ name, slug }) => html`<a href="${linkTo(visit.request, typePath(slug))}">${name}</a>`,
        },
        {
          label: t('structure.address'),
          cell: ({ path, slug }) => html`<code>${path.replace('{type}', slug)}</code>`,
          wideOnly: true,
        },
        {
          label: t('structure.comes_from'),
          cell: ({ built_in: own }) => t(own ? 'structure.from_postern' : 'structure.from_site'),
          wideOnly: true,
        },
        { label: t('structure.entries'), cell: ({ entries }) => entries, end: true },
      ],
    },
    t,
  )}
  ${
    mayRun(visit, types.create) &&
    html`<section class="panel" aria-labelledby="add">
      <h2 id="add">${t('structure.add_type')}</h2>
      ${postForm(visit, {
        path: adminPaths.types,
        purpose: 'types',
        hidden: { do: 'create' },
        body: html`<div class="two">
            ${textField({ name: 'name', label: t('structure.name'), value: fields?.get('name'), placeholder: t('structure.type_example'), required: true, fault: faults.at('name') })}
            ${textField({ name: 'slug', label: t('structure.slug'), value: fields?.get('slug'), help: t('structure.type_slug_help'), placeholder: 'product', required: true, fault: faults.at('slug') })}
          </div>
          ${textField({ name: 'path', label: t('structure.address'), value: fields?.get('path'), help: t.rich('structure.type_path_help', { example: html`<code>/shop/{slug}</code>` }), fault: faults.at('path') })}
          ${checkField({ name: 'feed', label: t('structure.type_feed'), value: fields?.has('feed') ? 'yes' : undefined })}
          <p class="actions"><button class="primary">${t('structure.add_this_type')}</button></p>`,
      })}
    </section>`
  }`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('shell.types'), body }))
}

const create: Work = async (visit, fields) => {
  const [name = '', slug = '', path = ''] = ['name', 'slug', 'path'].map((field) => fields.get(field).trim())
  const { failure } = await run(visit, types.create, { slug, name, feed: fields.has('feed'), ...(path && { path }) })
  return failure ? typesReply(visit, { failure, fields }) : goTo(visit, typePath(slug))
}

export const takeTypesForm = formTaker('types', { create })
