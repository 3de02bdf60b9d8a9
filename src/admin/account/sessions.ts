// The browsers in which a person is signed in, and signing out of them.

import { attribute, html, type Html } from '../../doors/shared/html.ts'
import { HttpFailure } from '../../http/failure.ts'
import { endSession, endSessionsOf, listSessions, sessionName } from '../../identity/session.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { SessionRow } from '../../store/core/schema.ts'
import { goDone } from '../parts/done-notice.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { type Column, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

export async function sessionsSection(visit: SignedIn): Promise<Html> {
  const { site, session, now, t } = visit
  const rows = await listSessions(site.store.read, session.account, now)
  const isThis = ({ id }: SessionRow) => id === session.row.id
  const form = (name: string, label: string, spoken?: string) =>
    postForm(visit, {
      path: adminPaths.endSessions,
      hidden: { session: name },
      body: html`<button ${attribute('aria-label', spoken)}>${label}</button>`,
    })
  const signOutColumn: Column<SessionRow> = {
    label: t('account.sign_out'),
    end: true,
    cell: (row) =>
      !isThis(row) &&
      form(sessionName(row), t('account.sign_out'), t('account.sign_out_of', { browser: browserOf(t, row.agent) })),
  }
  return html`<section class="panel" aria-labelledby="sessions">
    <h2 id="sessions">${t('account.sessions')}</h2>
    ${table(t, {
      caption: t('account.sessions_caption'),
      rows,
      columns: [
        {
          label: t('account.browser'),
          cell: (row) =>
            html`${browserOf(t, row.agent)} ${isThis(row) && html`<small class="quiet">${t('account.this_one')}</small>`}`,
        },
        { label: t('account.address'), cell: ({ address }) => address ?? t('account.unknown'), wideOnly: true },
        { label: t('account.signed_in'), cell: ({ created_at: at }) => shownTime(visit, formatDate(at)), wideOnly: true },
        { label: t('account.last_used'), cell: ({ seen_at: at }) => shownTime(visit, formatDate(at)) },
        ...(rows.length > 1 ? [signOutColumn] : []),
      ],
    })}
    ${rows.length > 1 && form('others', t('account.sign_out_others'))}
  </section>`
}

/** POST: ends one session, or all but this one. */
export const endSessions = formTaker(adminPaths.endSessions, async (visit, fields) => {
  const { site, session, now } = visit
  const { account, row } = session
  const name = fields.get('session')
  if (name === 'others') await endSessionsOf(site.store.write, account.id, now, row.id)
  else {
    const found = (await listSessions(site.store.read, account, now)).find((one) => sessionName(one) === name)
    if (!found) throw new HttpFailure('not_found', visit.t('account.session_ended'))
    await endSession(site.store.write, found.id, now)
  }
  return goDone(visit, adminPaths.account, 'account.done_signed_out')
})

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Names a browser by its user agent, such as `Firefox on Linux`. */
function browserOf(t: Words, agent: string | null): string {
  const find = (rows: typeof browsers) => rows.find(([pattern]) => pattern.test(agent ?? ''))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (system === undefined) return browser ?? t('account.some_browser')
  return browser === undefined ? t('account.some_browser_on', { system }) : t('account.browser_on', { browser, system })
}
