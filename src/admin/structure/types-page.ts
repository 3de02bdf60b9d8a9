// The types of entries, and the form that adds a type.

import { types } from '../../actions/types/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { typeName } from '../content/type-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { declareForm, formPanel } from '../parts/declared-form.ts'
import { taking } from '../parts/form-input.ts'
import { formTaker } from '../parts/post-form.ts'
import { pageHead, table } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

export const typePath = (slug: string): string => `${adminPaths.type}?id=${encodeURIComponent(slug)}`

const pathHelp = (t: Words): Html => t.rich('structure.type_path_help', { example: html`<code>/shop/{slug}</code>` })

const createForm = declareForm(types.create, { path: adminPaths.types, does: 'create', button: 'structure.add_this_type' }, [
  { name: 'name', label: 'structure.name', placeholder: 'structure.type_example', required: true },
  { name: 'feed', control: 'box', label: 'structure.type_feed' },
  {
    folded: 'structure.address',
    rows: [
      { name: 'slug', label: 'structure.short_name', help: 'structure.type_slug_help', madeFrom: 'name' },
      { name: 'path', label: 'structure.address', help: pathHelp },
    ],
  },
])

export const showTypes = (visit: SignedIn): Promise<Reply> => typesReply(visit)

async function typesReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, types.list, { limit: 100 })
  const body = html`${pageHead(t('shell.types'), t('structure.types_lead'))}
  ${table(t, {
    caption: t('shell.types'),
    rows: items,
    columns: [
      {
        label: t('structure.name'),
        cell: (item) => html`<a href="${linkTo(visit.request, typePath(item.slug))}">${typeName(t, item)}</a>`,
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
  })}
  ${mayRun(visit, types.create) && formPanel(visit, { id: 'add', title: t('structure.add_type'), form: createForm, refused })}`
  return framedReply(visit, { title: t('shell.types'), body }, refused)
}

const create = taking(createForm, (visit, { item }) => goTo(visit, typePath(item.slug)))

export const takeTypesForm = formTaker(adminPaths.types, { create }, typesReply)
