// The list of what is left to do on a new site. Each line ticks itself off by what is so, and the owner can put the list away.

import type { Examples } from '../../actions/site/examples.ts'
import { legalPaths } from '../../content/examples/legal.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { definitions } from '../../settings/definitions.ts'
import { sectionsFor } from '../navigation.ts'
import { lineList, panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** Facts about the site and the person. */
interface Facts {
  readonly isNamed: boolean
  readonly hasLogo: boolean
  readonly hasOwnPage: boolean
  readonly hasExamples: boolean
  readonly hasLegal: boolean
  readonly hasBackup: boolean
  readonly hasSecondFactor: boolean
  readonly hasAddress: boolean
  readonly hasAssistant: boolean
}

interface Task {
  readonly label: MessageKey
  readonly help: MessageKey
  /** A page of the navigation. Visitors who may not open it don't see the task. */
  readonly page?: string
  readonly href: string
  readonly isDone: (facts: Facts) => boolean
}

const tasks: readonly Task[] = [
  {
    label: 'home.step_settings',
    help: 'home.step_settings_help',
    page: adminPaths.settings,
    href: `${adminPaths.start}?step=name`,
    isDone: ({ isNamed }) => isNamed,
  },
  {
    label: 'home.task_logo',
    help: 'home.task_logo_help',
    page: adminPaths.settings,
    href: `${adminPaths.start}?step=look`,
    isDone: ({ hasLogo }) => hasLogo,
  },
  {
    label: 'home.step_page',
    help: 'home.step_page_help',
    href: `${adminPaths.newEntry}?type=page`,
    isDone: ({ hasOwnPage }) => hasOwnPage,
  },
  {
    label: 'home.task_examples',
    help: 'home.task_examples_help',
    page: adminPaths.settings,
    href: `${adminPaths.home}#examples`,
    isDone: ({ hasExamples }) => !hasExamples,
  },
  {
    label: 'home.task_legal',
    help: 'home.task_legal_help',
    href: `${adminPaths.content}?show=draft`,
    isDone: ({ hasLegal }) => hasLegal,
  },
  {
    label: 'home.task_address',
    help: 'home.task_address_help',
    page: adminPaths.health,
    href: adminPaths.health,
    isDone: ({ hasAddress }) => hasAddress,
  },
  {
    label: 'home.task_backup',
    help: 'home.task_backup_help',
    page: adminPaths.backups,
    href: adminPaths.backups,
    isDone: ({ hasBackup }) => hasBackup,
  },
  {
    label: 'home.task_factor',
    help: 'home.task_factor_help',
    href: adminPaths.account,
    isDone: ({ hasSecondFactor }) => hasSecondFactor,
  },
  {
    label: 'shell.connect',
    help: 'home.step_connect_help',
    href: adminPaths.connect,
    isDone: ({ hasAssistant }) => hasAssistant,
  },
]

/** The name of the fact that the list was put away. */
export const putAwayFact = 'tasks_put_away'

async function factsOf({ site, session, request }: SignedIn, examples: Examples): Promise<Facts> {
  const { read } = site.store
  const { values } = site.settings
  const unchanged = new Set(examples.unchanged.map(({ id }) => id))
  const published = await read
    .selectFrom('entry')
    .select(['id', 'path'])
    .where('status', '=', 'published')
    .limit(unchanged.size + legalPaths.length + 1)
    .execute()
  const backup = await read.selectFrom('backup').select('id').where('verified_at', 'is not', null).limit(1).executeTakeFirst()
  const token = await read.selectFrom('token').select('id').where('revoked_at', 'is', null).limit(1).executeTakeFirst()
  const app = await read.selectFrom('app_grant').select('id').where('revoked_at', 'is', null).limit(1).executeTakeFirst()
  return {
    isNamed: values.site_title !== definitions.site_title.fallback,
    hasLogo: values.logo !== null,
    hasOwnPage: published.some(({ id, path }) => !unchanged.has(id) && !legalPaths.includes(path ?? '')),
    hasExamples: unchanged.size > 0,
    hasLegal: published.some(({ path }) => legalPaths.includes(path ?? '')),
    hasBackup: backup !== undefined,
    hasSecondFactor: session.account.second_factor === 1,
    hasAddress: request.scheme === 'https' || site.config.POSTERN_BASE_URL?.scheme === 'https',
    hasAssistant: (token ?? app) !== undefined,
  }
}

async function isPutAway({ site }: SignedIn): Promise<boolean> {
  const fact = site.store.read.selectFrom('site_fact').select('name').where('name', '=', putAwayFact)
  return (await fact.executeTakeFirst()) !== undefined
}

/** The list; undefined once all is done or the list was put away. */
export async function nextSteps(visit: SignedIn, examples: Examples): Promise<HtmlValue> {
  if (await isPutAway(visit)) return undefined
  const { t, request } = visit
  const facts = await factsOf(visit, examples)
  const open = new Set(sectionsFor(visit).flatMap(({ pages }) => pages.map(({ path }) => path)))
  const own = tasks.filter(({ page }) => page === undefined || open.has(page))
  const left = own.filter(({ isDone }) => !isDone(facts))
  if (left.length === 0) return undefined
  const line = ({ label, help, href }: Task): Html =>
    html`<a href="${linkTo(request, href)}">${t(label)}</a> <span class="quiet">${t(help)}</span>`
  const done = own.filter(({ isDone }) => isDone(facts))
  const doneLine = html`<p class="quiet">
    <span aria-hidden="true">✓</span>
    ${t('home.tasks_done', { count: done.length, list: done.map(({ label }) => t(label)).join(', ') })}
  </p>`
  return panel(
    'next',
    t('home.begin'),
    html`${lineList(left.map(line))} ${done.length > 0 && doneLine}
    ${postForm(visit, {
      path: adminPaths.home,
      hidden: { do: 'put-away' },
      body: html`<p class="actions"><button class="quiet">${t('home.put_away')}</button></p>`,
    })}`,
  )
}
