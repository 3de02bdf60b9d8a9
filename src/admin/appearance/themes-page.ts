// The themes of the site: which one visitors see, a preview of each, and the forms that activate and copy them.

import { create, deleteTheme } from '../../actions/classes/svc-themes/create.ts'
import type { LeanItem } from '../../actions/classes/svc-themes/item.ts'
import { list, preview } from '../../actions/classes/svc-themes/reading.ts'
import { activate } from '../../actions/classes/svc-themes/settings.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { doneBox, faultBox, selectField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

const doneWords: Readonly<Record<string, string>> = {
  activated: 'Activated. Visitors see the site in this theme.',
  deleted: 'Deleted. Activity can take it back.',
}

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

/** The page of one theme. */
export const themePath = (id: string): string => `${adminPaths.theme}?id=${encodeURIComponent(id)}`

/** GET */
export const showThemes = (visit: SignedIn): Promise<Reply> => themesReply(visit)

async function themesReply(visit: SignedIn, { failure, fields }: View = {}): Promise<Reply> {
  const { items } = await get(visit, list, {})
  const faults = faultsOf(failure, ['slug', 'from'])
  const cards = await Promise.all(items.map((theme) => card(visit, theme)))
  const body = html`${pageHead('Themes', 'How the site looks. A copy of a theme can be changed file by file.')}
    ${doneBox(doneWords[visit.request.query.get('done') ?? ''])} ${faultBox(faults.rest)}
    <ul class="things">
      ${cards}
    </ul>
    ${mayRun(visit, create) && copyForm(visit, items, fields, faults.at)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Themes', body }))
}

async function card(visit: SignedIn, theme: LeanItem): Promise<Html> {
  const { id, name, description, version, active, shipped } = theme
  const link = mayRun(visit, preview) ? (await run(visit, preview, { id })).data?.url : undefined
  return html`<li class="card">
    <h2>${name} ${active && html`<span class="badge good">Active</span>`}</h2>
    ${description !== '' && html`<p>${description}</p>`}
    <p class="quiet">
      ${shipped ? `Version ${version}, comes with Postern.` : html`Version ${version}, your own: <code>${id}</code>.`}
    </p>
    <div class="actions">
      <a class="button" href="${linkTo(visit.request, themePath(id))}"
        >Settings and files<span class="unseen"> of ${name}</span></a
      >
      ${link !== undefined && html`<a class="button" href="${link}">Preview<span class="unseen"> ${name}</span></a>`}
      ${
        !active &&
        mayRun(visit, activate) &&
        postForm(visit, {
          path: adminPaths.themes,
          purpose: 'themes',
          hidden: { do: 'activate', id },
          body: html`<button class="primary">Activate<span class="unseen"> ${name}</span></button>`,
        })
      }
    </div>
  </li>`
}

const copyForm = (
  visit: SignedIn,
  items: readonly LeanItem[],
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html =>
  html`<section class="panel" aria-labelledby="copy">
    <h2 id="copy">Copy a theme</h2>
    ${postForm(visit, {
      path: adminPaths.themes,
      purpose: 'themes',
      hidden: { do: 'copy' },
      body: html`<div class="two">
          ${selectField({ name: 'from', label: 'Theme', value: fields?.get('from'), groups: new Map([['', items.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))]]), fault: fault('from') })}
          ${textField({ name: 'slug', label: 'Slug of the copy', value: fields?.get('slug'), help: 'Lower-case letters, digits and hyphens.', placeholder: 'my-theme', required: true, fault: fault('slug') })}
        </div>
        <p class="actions"><button class="primary">Copy</button></p>`,
    })}
  </section>`

const makeActive: Work = async (visit, fields) => {
  const { failure } = await run(visit, activate, { id: fields.get('id') })
  return failure ? themesReply(visit, { failure }) : goTo(visit, `${adminPaths.themes}?done=activated`)
}

const copy: Work = async (visit, fields) => {
  const slug = fields.get('slug').trim()
  const { failure } = await run(visit, create, { slug, from: fields.get('from') })
  return failure ? themesReply(visit, { failure, fields }) : goTo(visit, themePath(slug))
}

const drop: Work = async (visit, fields) => {
  const { failure } = await run(visit, deleteTheme, { id: fields.get('id') })
  return failure ? themesReply(visit, { failure }) : goTo(visit, `${adminPaths.themes}?done=deleted`)
}

/** POST */
export const takeThemesForm = formTaker('themes', { activate: makeActive, copy, delete: drop })
