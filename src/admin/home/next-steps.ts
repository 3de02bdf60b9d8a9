// The next steps on a site without entries.

import { html, type Html } from '../../doors/shared/html.ts'
import { sectionsFor } from '../navigation.ts'
import { lineList, panel } from '../parts/panel.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

interface NextStep {
  readonly label: MessageKey
  readonly help: MessageKey
  /** A page of the navigation. Visitors who may not open it don't see the step. */
  readonly page?: string
  /** The target of the step if it is not the start of that page. */
  readonly href: string
}

const themesPage = '/admin/themes'

const steps: readonly NextStep[] = [
  { label: 'home.step_page', help: 'home.step_page_help', href: `${adminPaths.newEntry}?type=page` },
  {
    label: 'shell.connect',
    help: 'home.step_connect_help',
    href: `${adminPaths.home}#connect`,
  },
  { label: 'home.step_theme', help: 'home.step_theme_help', page: themesPage, href: themesPage },
  {
    label: 'home.step_settings',
    help: 'home.step_settings_help',
    page: adminPaths.settings,
    href: adminPaths.settings,
  },
]

export function nextSteps(visit: SignedIn): Html {
  const { t } = visit
  const open = new Set(sectionsFor(visit).flatMap(({ pages }) => pages.map(({ path }) => path)))
  const own = steps.filter(({ page }) => page === undefined || open.has(page))
  const lines = own.map(
    ({ label, help, href }) =>
      html`<a href="${linkTo(visit.request, href)}">${t(label)}</a> <span class="quiet">${t(help)}</span>`,
  )
  return panel(
    'next',
    t('home.begin'),
    html`<p class="quiet">${t('home.begin_help')}</p>
      ${lineList(lines)}`,
  )
}
