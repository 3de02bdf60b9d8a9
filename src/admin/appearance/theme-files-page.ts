// The files of a theme and its earlier states, for those who write code.

import { themes } from '../../actions/themes/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { html, type Html, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { controlsOf, type FormRows } from '../parts/declared-form.ts'
import { lineList, panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { filePath, revisionLine } from './theme-file-page.ts'
import { themeName, themePath } from './themes-page.ts'

/** The form of a new file. */
const fileRows: FormRows = [
  { name: 'file', label: 'appearance.path', placeholder: 'partials/note.liquid', required: true },
  { name: 'text', control: 'code', label: 'appearance.text', rows: 8 },
]

type Theme = AnswerOf<typeof themes.get.output>['item']

export const filesPath = (id: string): string => `${adminPaths.themeFiles}?id=${encodeURIComponent(id)}`

/** GET; `id` names the theme. */
export const showThemeFiles = (visit: SignedIn): Promise<Reply> => filesReply(visit, visit.request.query.get('id') ?? '')

/** The files of a theme, or the form of a new file with the values that were refused. */
export async function filesReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, themes.get, { id, full: true })
  const { url } = await get(visit, themes.export, { id })
  const theme = html`<a href="${linkTo(visit.request, themePath(id))}">${themeName(visit, item)}</a>`
  const body = html`${pageHead(
    t('appearance.files'),
    t.rich('appearance.files_of', { theme }),
    html`<a class="button" href="${url}" download>${t('appearance.download')}</a>`,
  )}
  ${filesOf(visit, item, refused)} ${!item.shipped && (await statesOf(visit, id))}`
  return framedReply(visit, { title: t('appearance.files'), body }, refused)
}

function filesOf(visit: SignedIn, { id, files, shipped }: Theme, refused: Refused): Html {
  const { t } = visit
  const isOpen = refused.fields?.get('do') === 'write'
  const form = () =>
    postForm(visit, {
      path: adminPaths.theme,
      hidden: { do: 'write', id },
      body: html`${controlsOf(t, { does: 'write', rows: fileRows }, { refused })}
        <p class="actions"><button>${t('appearance.add_this_file')}</button></p>`,
    })
  const line = ({ file, bytes, base }: Theme['files'][number]): Html => {
    const from = base !== undefined && html`, ${t('appearance.from_base', { base })}`
    return html`<a href="${linkTo(visit.request, filePath(id, file))}">${file}</a
      ><small>${t('appearance.bytes', { count: bytes })}${from}</small>`
  }
  return panel(
    'files',
    t('appearance.files'),
    html`${shipped && html`<p class="quiet">${t('appearance.files_shipped')}</p>`} ${lineList(files.map(line))}
    ${
      !shipped &&
      mayRun(visit, themes.write) &&
      html`<details ${isOpen ? raw('open') : ''}>
        <summary>${t('appearance.add_file')}</summary>
        ${form()}
      </details>`
    }`,
  )
}

async function statesOf(visit: SignedIn, id: string): Promise<Html> {
  const { items } = await get(visit, themes.revisions, { id, limit: 20 })
  const mayRevert = mayRun(visit, themes.revert)
  const line = ({ action, ...state }: (typeof items)[number], place: number) =>
    revisionLine(visit, state, html`<small>${action}</small>`, place > 0 && mayRevert && { id, name: 'appearance.state' })
  return html`<details class="panel">
    <summary>${visit.t('appearance.earlier_states')}</summary>
    ${lineList(items.map(line))}
  </details>`
}
