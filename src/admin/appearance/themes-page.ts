// The themes of the site: which theme is active, a preview of each, and the forms that activate and copy them.

import { themes } from '../../actions/themes/index.ts'
import type { LeanItem } from '../../actions/themes/item.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { declareForm, formPanel } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { doing, onItem, toSlug } from '../parts/form-input.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { adminHeaders, goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { lookFrame } from './look.ts'
import { themeWord } from './theme-words.ts'

const copyForm = declareForm(themes.create, { path: adminPaths.themes, does: 'copy', button: 'appearance.copy' }, [
  [
    { name: 'from', at: ['from', 'base'], control: 'select', label: 'appearance.theme' },
    { name: 'slug', label: 'appearance.name_of_copy', placeholder: 'appearance.name_of_copy_example', required: true },
  ],
  { name: 'way', control: 'radio', label: 'appearance.way', blank: 'base' },
])

export const themePath = (id: string): string => `${adminPaths.theme}?id=${encodeURIComponent(id)}`

/** The name of a theme. A copy has the same name as its original, so its slug is shown too. */
export const themeName = ({ t }: SignedIn, { id, name, shipped }: Pick<LeanItem, 'id' | 'name' | 'shipped'>): string =>
  shipped ? name : t('appearance.name_and_id', { name, id })

export const showThemes = (visit: SignedIn): Promise<Reply> => themesReply(visit)

async function themesReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, themes.list, {})
  const activeFirst = items.toSorted((a, b) => Number(b.active) - Number(a.active))
  const cards = activeFirst.map((theme) => card(visit, theme))
  const body = html`${pageHead(t('shell.themes'), t('appearance.lead'))}
    <ul class="things">
      ${cards}
    </ul>
    ${mayRun(visit, themes.create) && copying(visit, activeFirst, refused)}`
  return framedReply(visit, { title: t('shell.themes'), body }, refused, { frames: true })
}

function card(visit: SignedIn, theme: LeanItem): Html {
  const { t } = visit
  const { id, description, version, base, active, shipped } = theme
  const name = themeName(visit, theme)
  return html`<li class="card with-picture">
    ${lookFrame(visit, id, { name, path: themePath(id) })}
    <h2>${name} ${active && html`<span class="badge good">${t('appearance.active')}</span>`}</h2>
    ${description !== '' && html`<p>${themeWord(t, description)}</p>`}
    <p class="quiet">
      ${shipped ? t('appearance.version_shipped', { version }) : t.rich(base === undefined ? 'appearance.version_own' : 'appearance.version_on_base', { version, base, id: html`<code>${id}</code>` })}
    </p>
    <div class="actions">
      <a class="button" href="${linkTo(visit.request, themePath(id))}"
        >${t('appearance.settings_of')}<span class="unseen"> ${t('appearance.of_theme', { name })}</span></a
      >
      ${previewForm(visit, id, html`<span class="unseen"> ${name}</span>`)}
      ${
        !active &&
        mayRun(visit, themes.activate) &&
        postForm(visit, {
          path: adminPaths.themes,
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
    hidden: { do: 'preview', id },
    body: html`<button>${visit.t('appearance.preview')}${more}</button>`,
  })

const copying = (visit: SignedIn, items: readonly LeanItem[], refused: Refused): Html =>
  formPanel(visit, {
    id: 'copy',
    title: visit.t('appearance.copy_a_theme'),
    form: copyForm,
    refused,
    choices: {
      from: items.map((theme) => ({ value: theme.id, label: themeName(visit, theme) })),
      way: [
        { value: 'base', label: visit.t('appearance.way_base'), help: visit.t('appearance.way_base_help') },
        { value: 'copy', label: visit.t('appearance.way_copy'), help: visit.t('appearance.way_copy_help') },
      ],
    },
  })

const slugIn = (fields: Fields): string => toSlug(fields.get('slug'))

const copy = doing(
  themes.create,
  (fields) => ({ slug: slugIn(fields), [fields.get('way') === 'base' ? 'base' : 'from']: fields.get('from') }),
  (visit, _data, fields) => goTo(visit, themePath(slugIn(fields))),
)

const works = {
  activate: onItem(themes.activate, (visit) => goDone(visit, adminPaths.themes, 'appearance.done_activated')),
  preview: onItem(themes.preview, (visit, { url }) => redirect(303, url, adminHeaders(visit.request.scheme))),
  copy,
  delete: onItem(themes.delete, (visit) => goDone(visit, adminPaths.themes, themes.delete)),
}

export const takeThemesForm = formTaker(adminPaths.themes, works, themesReply)
