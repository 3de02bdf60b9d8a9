// The next steps on a site without entries.

import { html, type Html } from '../../doors/html.ts'
import { sectionsFor } from '../navigation.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

interface NextStep {
  readonly label: string
  readonly help: string
  /** A page of the navigation. The step is left out for visitors who may not open it. */
  readonly page?: string
  /** Where the step leads, if not to the beginning of that page. */
  readonly href: string
}

const themesPage = '/admin/themes'

const steps: readonly NextStep[] = [
  { label: 'Create a page', help: 'Write the first page or post yourself.', href: `${adminPaths.newEntry}?type=page` },
  {
    label: 'Connect an assistant',
    help: 'Give it the address below, and let it write drafts for you.',
    href: `${adminPaths.home}#connect`,
  },
  { label: 'Choose a theme', help: 'How the site looks to visitors.', page: themesPage, href: themesPage },
  {
    label: 'Name your site',
    help: 'Its title, language and time zone.',
    page: adminPaths.settings,
    href: adminPaths.settings,
  },
]

export function nextSteps(visit: SignedIn): Html {
  const open = new Set(sectionsFor(visit).flatMap(({ pages }) => pages.map(({ path }) => path)))
  const own = steps.filter(({ page }) => page === undefined || open.has(page))
  return html`<section class="panel" aria-labelledby="next">
    <h2 id="next">Begin here</h2>
    <p class="quiet">The site is empty. These are the first steps, in any order.</p>
    <ol class="steps">
      ${own.map(({ label, help, href }) => html`<li><a href="${linkTo(visit.request, href)}">${label}</a>: ${help}</li>`)}
    </ol>
  </section>`
}
