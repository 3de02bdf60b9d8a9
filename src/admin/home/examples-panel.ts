// The examples with which the site began, as long as nobody has changed them.

import { siteActions } from '../../actions/site/index.ts'
import type { Examples } from '../../actions/site/examples.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import { mayRun } from '../navigation.ts'
import { lineList, panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The example pages that nobody has changed, with the button that throws them away. */
export function examplesPanel(visit: SignedIn, { unchanged }: Examples): HtmlValue {
  if (unchanged.length === 0 || !mayRun(visit, siteActions.removeExamples)) return undefined
  const { t, request } = visit
  const lines = unchanged.map(
    ({ id, title }) => html`<a href="${linkTo(request, adminPaths.editEntry)}?id=${encodeURIComponent(id)}">${title}</a>`,
  )
  return panel(
    'examples',
    t('home.examples'),
    html`<p class="quiet">${t('home.examples_help')}</p>
      ${lineList(lines)}
      ${postForm(visit, {
        path: adminPaths.home,
        hidden: { do: 'remove-examples' },
        body: html`<p class="actions"><button>${t('home.remove_examples', { count: unchanged.length })}</button></p>`,
      })}`,
  )
}
