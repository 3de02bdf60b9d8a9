// The site in a theme, in a frame of the admin: without script, without the site's origin, and with settings that are not saved
// yet.

import { themes } from '../../actions/themes/index.ts'
import { chosenAfter } from '../../actions/themes/configure.ts'
import { lookLink } from '../../actions/shared/theme-look.ts'
import { Failure } from '../../base/failure.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { readFields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { settingsIn } from './theme-settings.ts'

/** The address of the site's home page in this theme. */
export const lookOf = (visit: SignedIn, theme: string, chosen?: Readonly<Record<string, unknown>>): string =>
  lookLink({ key: visit.site.key, origin: baseOf(visit.request), caller: visit.caller, now: visit.now }, { theme, chosen })

/** A small picture of the home page in this theme, made of the page itself. A click on it leads to the path, if there is one. */
export const lookFrame = (
  visit: SignedIn,
  theme: string,
  { name, path }: { readonly name: string; readonly path?: string },
): Html =>
  html`<div class="look-small" aria-hidden="true">
    <iframe src="${lookOf(visit, theme)}" title="${name}" sandbox="" loading="lazy" tabindex="-1"></iframe>
    ${path !== undefined && html`<a href="${linkTo(visit.request, path)}" tabindex="-1"></a>`}
  </div>`

/** POST with the form of a theme's settings. Answers the address of the site with these settings, which are not saved. */
export async function lookAtSettings(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, themes.configure)) throw notYours(visit)
  const fields = await readFields(visit, adminPaths.theme)
  const theme = await visit.site.themes.find(fields.get('id'))
  if (!theme) return dataReply(visit, 404, {})
  try {
    const chosen = chosenAfter(theme, settingsIn(theme.manifest.settings, fields))
    return dataReply(visit, 200, { url: new URL(lookOf(visit, theme.slug, chosen)).pathname })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return dataReply(visit, formStatus[error.code], { message: sentenceOf(error, visit.t) })
  }
}
