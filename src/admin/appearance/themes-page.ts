// The themes of the site: which theme is active, a preview of each, and the forms that activate and copy them.

import { themes } from '../../actions/classes/svc-themes/index.ts'
import type { LeanItem } from '../../actions/classes/svc-themes/item.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { faultBox, radioField, selectField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { adminHeaders, goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

export const themePath = (id: string): string => `${adminPaths.theme}?id=${encodeURIComponent(id)}`

/** The name of a theme. A copy has the same name as its original, so its slug is shown too. */
export const themeName = ({ t }: SignedIn, { id, name, shipped }: Pick<LeanItem, 'id' | 'name' | 'shipped'>): string =>
  shipped ? name : t('appearance.name_and_id', { name, id })

export const showThemes = (visit: SignedIn): Promise<Reply> => themesReply(visit)

async function themesReply(visit: SignedIn, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, themes.list, {})
  const faults = faultsOf(t, failure, ['slug', 'from', 'base'])
  const activeFirst = items.toSorted((a, b) => Number(b.active) - Number(a.active))
  const cards = activeFirst.map((theme) => card(visit, theme))
  const body = html`${pageHead(t('shell.themes'), t('appearance.lead'))} ${faultBox(faults.all)}
    <ul class="things">
      ${cards}
    </ul>
    ${mayRun(visit, themes.create) && copyForm(visit, activeFirst, fields, faults.at)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('shell.themes'), body }))
}

function card(visit: SignedIn, theme: LeanItem): Html {
  const { t } = visit
  const { id, description, version, base, active, shipped } = theme
  const name = themeName(visit, theme)
  return html`<li class="card">
    <h2>${name} ${active && html`<span class="badge good">${t('appearance.active')}</span>`}</h2>
    ${description !== '' && html`<p>${description}</p>`}
    <p class="quiet">
      ${shipped ? t('appearance.version_shipped', { version }) : t.rich(base === undefined ? 'appearance.version_own' : 'appearance.version_on_base', { version, base, id: html`<code>${id}</code>` })}
    </p>
    <div class="actions">
      <a class="button" href="${linkTo(visit.request, themePath(id))}"
        >${t('appearance.settings_and_files')}<span class="unseen"> ${t('appearance.of_theme', { name })}</span></a
      >
      ${previewForm(visit, id, html`<span class="unseen"> ${name}</span>`)}
      ${
        !active &&
        mayRun(visit, themes.activate) &&
        postForm(visit, {
          path: adminPaths.themes,
          purpose: 'themes',
          hidden: { do: 'activate', id },
          body: html`<button class="primary">${t('appearance.activate')}<span class="unseen"> ${name}</span></button>`,
        })
      }
    </div>
  </li>`
}

/** The button that makes a link to the site in this theme, and opens it. */
export const previewForm = (visit: SignedIn, id: string, more?: HtmlValue): HtmlValue =>
  mayRun(visit, themes.preview) &&
  postForm(visit, {
    path: adminPaths.themes,
    purpose: 'themes',
    hidden: { do: 'preview', id },
    body: html`<button>${visit.t('appearance.preview')}${more}</button>`,
  })

const copyForm = (
  visit: SignedIn,
  items: readonly LeanItem[],
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html =>
  html`<section class="panel" aria-labelledby="copy">
    <h2 id="copy">${visit.t('appearance.copy_a_theme')}</h2>
    ${postForm(visit, {
      path: adminPaths.themes,
      purpose: 'themes',
      hidden: { do: 'copy' },
      body: html`<div class="two">
          ${selectField({ name: 'from', label: visit.t('appearance.theme'), value: fields?.get('from'), groups: new Map([['', items.map(({ id, name, shipped }) => ({ value: id, label: themeName(visit, { id, name, shipped }) }))]]), fault: fault('from') ?? fault('base') })}
          ${textField({ name: 'slug', label: visit.t('appearance.slug_of_copy'), value: fields?.get('slug'), help: visit.t('appearance.slug_help'), placeholder: 'my-theme', required: true, fault: fault('slug') })}
        </div>
        ${radioField({
          name: 'way',
          label: visit.t('appearance.way'),
          value: fields?.get('way') || 'base',
          choices: [
            { value: 'base', label: visit.t('appearance.way_base'), help: visit.t('appearance.way_base_help') },
            { value: 'copy', label: visit.t('appearance.way_copy'), help: visit.t('appearance.way_copy_help') },
          ],
        })}
        <p class="actions"><button class="primary">${visit.t('appearance.copy')}</button></p>`,
    })}
  </section>`

const makeActive: Work = async (visit, fields) => {
  const { failure } = await run(visit, themes.activate, { id: fields.get('id') })
  return failure ? themesReply(visit, { failure }) : goDone(visit, adminPaths.themes, 'appearance.done_activated')
}

const openPreview: Work = async (visit, fields) => {
  const { failure, data } = await run(visit, themes.preview, { id: fields.get('id') })
  return failure ? themesReply(visit, { failure }) : redirect(303, data.url, adminHeaders(visit.request.scheme))
}

const copy: Work = async (visit, fields) => {
  const slug = fields.get('slug').trim()
  const theme = fields.get('from')
  const { failure } = await run(
    visit,
    themes.create,
    fields.get('way') === 'base' ? { slug, base: theme } : { slug, from: theme },
  )
  return failure ? themesReply(visit, { failure, fields }) : goTo(visit, themePath(slug))
}

const drop: Work = async (visit, fields) => {
  const { failure } = await run(visit, themes.delete, { id: fields.get('id') })
  return failure ? themesReply(visit, { failure }) : goDone(visit, adminPaths.themes, themes.delete)
}

export const takeThemesForm = formTaker('themes', { activate: makeActive, preview: openPreview, copy, delete: drop })
