// The page after a form that is gone, or that its page has no longer. It has what the visitor wrote, so that nothing is lost.

import { html } from '../../doors/shared/html.ts'
import { siteWord } from '../../themes/site-words.ts'
import type { Frame } from './frame.ts'
import { identityOf, messagePage } from './message-page.ts'

/** @param path of the page that had the form */
export function goneFormPage(frame: Frame, path: string, texts: readonly string[]): string {
  const site = identityOf(frame, path)
  const message = siteWord(site.language, 'form_gone')
  const below = texts.map((text) => html`<p><textarea rows="6" readonly aria-label="${message}">${text}</textarea></p>`)
  return messagePage({ site, title: siteWord(site.language, 'form_problem'), message, below })
}
