// Checks: the findings of SVC_Content.check in the entries of the site, by entry, each with a link to its place in the editor. A
// button fixes what a call can fix.

import { type Action, callName } from '../../actions/call/action.ts'
import type { InputOf } from '../../actions/call/call-action.ts'
import { content } from '../../actions/content/index.ts'
import { everyEntry } from '../../actions/content/last-check.ts'
import { type CheckRule, checkRules } from '../../content/entries/check-entry.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { startedJob } from '../operations/job-parts.ts'
import { get, notYours, run, start } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { listAddress } from '../parts/list-address.ts'
import { objectPath } from '../parts/object-link.ts'
import { pagerOf } from '../parts/pager.ts'
import { lineList, panel } from '../parts/panel.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, pageHead, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { type ReportedFinding, lastCheckId, type LastCheck, readCheck } from './last-check.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** The number of entries on a page. */
const pageEntries = 50

const purpose = 'checks'

const ruleKeys: Readonly<Record<CheckRule, MessageKey>> = {
  links: 'content.rule_links',
  fragments: 'content.rule_fragments',
  alt: 'content.rule_alt',
  headings: 'content.rule_headings',
  lengths: 'content.rule_lengths',
  orphans: 'content.rule_orphans',
  titles: 'content.rule_titles',
  menus: 'content.rule_menus',
  themes: 'content.rule_themes',
  redirects: 'content.rule_redirects',
}

interface Fixer {
  readonly action: Action
  run(visit: SignedIn, input: unknown): Promise<{ readonly failure?: Failure }>
}

/** The calls that fix findings, by name. */
const fixers: ReadonlyMap<string, Fixer> = new Map([
  [
    callName(content.edit),
    { action: content.edit, run: (visit, input) => run(visit, content.edit, input as InputOf<typeof content.edit.input>) },
  ],
  [
    callName(content.update),
    { action: content.update, run: (visit, input) => run(visit, content.update, input as InputOf<typeof content.update.input>) },
  ],
])

/** GET; `job` names a check, by default the last one; `rule` narrows the findings. */
export const showChecks = (visit: SignedIn): Promise<Reply> => checksReply(visit)

async function checksReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  if (!mayRun(visit, content.check)) throw notYours(visit)
  const { t, request } = visit
  const asked = request.query.get('job')
  // This waits for the job for a moment, so it comes before the job is read.
  const running = asked === null ? undefined : await startedJob(visit, t('content.check_done'))
  const id = asked?.slice(0, 200) ?? (await lastCheckId(visit))
  const found = id === undefined ? undefined : await readCheck(visit, id)
  const body = html`${pageHead(t('shell.checks'), t('content.check_lead'), checkForm(visit))} ${running}
  ${await foundPart(visit, found)}`
  return framedReply(visit, { title: t('shell.checks'), body }, refused)
}

const checkForm = (visit: SignedIn): Html =>
  postForm(visit, {
    path: adminPaths.checks,
    purpose,
    hidden: { do: 'check' },
    body: html`<button class="primary">${visit.t('content.check_now')}</button>`,
  })

async function foundPart(visit: SignedIn, found: LastCheck | undefined): Promise<HtmlValue> {
  const { t } = visit
  if (found === undefined) return emptyState(t('content.check_none'), t('content.check_none_next'))
  const { job, checked } = found
  if (!checked) return undefined
  const about = t.rich('content.check_about', { count: checked.checked, at: shownTime(visit, job.finished_at) })
  if (checked.items.length === 0) return emptyState(t('content.check_well'), about)
  const address = listAddress(visit.request, adminPaths.checks)
  const rule = checkRules.find((one) => one === address.get('rule'))
  const all = checked.items.map((finding, place) => ({ ...finding, place_in_check: place }))
  const listed = all.filter((one) => rule === undefined || one.rule === rule)
  const shared = listed.filter(isShared)
  const groups = [
    ...groupBy(
      listed.filter((one) => !isShared(one)),
      ({ id }) => id,
    ),
  ]
  const from = Number(/^\d{1,6}$/.exec(address.get('cursor') ?? '')?.[0] ?? 0)
  const shown = groups.slice(from, from + pageEntries)
  const next = groups.length > from + pageEntries ? String(from + pageEntries) : null
  const entries = await readEntries(
    visit,
    shown.map(([id]) => id),
  )
  return html`<p class="quiet">${about}</p>
    ${ruleTabs(visit, checked.items, rule)}
    ${checked.total > checked.items.length && html`<p class="notice" role="note">${t('content.check_more', { shown: checked.items.length, total: checked.total })}</p>`}
    ${fixAllForm(visit, checked.items)} ${from === 0 && shared.length > 0 && sharedPart(visit, shared, job.id)}
    ${shown.map(([id, findings]) => entryPart(visit, { id, findings, job, entry: entries.get(id) }))}
    ${pagerOf(address.with({}), next, t)}`
}

function ruleTabs({ t, request }: SignedIn, items: readonly ReportedFinding[], current: CheckRule | undefined): Html {
  const address = listAddress(request, adminPaths.checks)
  const link = (rule: CheckRule | undefined, label: MessageKey, count: number) => ({
    label: t('content.check_tab', { label: t(label), count }),
    href: address.with({ rule }),
    current: rule === current,
  })
  const counts = groupBy(items, ({ rule }) => rule)
  return tabs(t('content.check_kinds'), [
    link(undefined, 'content.check_all', items.length),
    ...checkRules.flatMap((rule) => (counts.has(rule) ? [link(rule, ruleKeys[rule], counts.get(rule)?.length ?? 0)] : [])),
  ])
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

interface ShownEntry {
  readonly id: string
  readonly title: string
  readonly updated_at: string
}

async function readEntries(visit: SignedIn, ids: readonly string[]): Promise<ReadonlyMap<string, ShownEntry>> {
  const where = { id: { in: ids } }
  const { items } = await get(visit, content.list, { where, limit: pageEntries }, { select: ['id', 'title', 'updated_at'] })
  return new Map(items.map((item) => [item.id, item]))
}

interface Found extends ReportedFinding {
  readonly place_in_check: number
}

/** A button that fixes all findings that have a fix; nothing without any. */
function fixAllForm(visit: SignedIn, items: readonly ReportedFinding[]): HtmlValue {
  const count = items.filter(({ fix }) => fix !== null).length
  if (count < 2 || !mayRun(visit, content.fix)) return undefined
  const form = postForm(visit, {
    path: adminPaths.checks,
    purpose,
    hidden: { do: 'all', expect: count },
    body: html`<button>${visit.t('content.check_fix_all', { count })}</button>`,
  })
  return html`<div class="above">${form}</div>`
}

/** The pages of the admin for what the whole site shares. */
const sharedPages = { menu: adminPaths.menus, theme: adminPaths.themes, redirect: adminPaths.redirects } as const

/** True for a finding in a menu, in the theme or in a redirect. Findings of older releases have no `kind`. */
const isShared = ({ kind }: ReportedFinding): boolean => Object.hasOwn(sharedPages, kind)

/** The findings in menus, in the theme and in redirects. */
function sharedPart(visit: SignedIn, findings: readonly Found[], job: string): Html {
  const { t } = visit
  const lines = findings.map((finding) => {
    const { kind, title, place } = finding
    const page = kind === 'entry' ? adminPaths.checks : sharedPages[kind]
    const link = html`<a class="button" href="${visit.request.basePath}${page}"
      >${t('content.open')}<span class="unseen"> ${place}, ${title}</span></a
    >`
    return findingLine(visit, { finding, job, title, link })
  })
  return panel('shared', t('content.check_shared'), lineList(lines))
}

interface EntryPart {
  readonly id: string
  readonly findings: readonly Found[]
  readonly job: LastCheck['job']
  /** Undefined for an entry that is gone or in the trash. */
  readonly entry: ShownEntry | undefined
}

function entryPart(visit: SignedIn, { id, findings, job, entry }: EntryPart): HtmlValue {
  const { t, request } = visit
  if (!entry) return undefined
  const isChanged = Date.parse(entry.updated_at) > Date.parse(job.finished_at ?? job.created_at)
  const link = html`<a href="${objectPath(request, { kind: 'entry', id })}">${entry.title || t('content.without_title')}</a>`
  const lines = lineList(findings.map((finding) => findingPart(visit, finding, job.id, entry.title)))
  return panel(`e-${id}`, link, html`${isChanged && html`<p class="quiet">${t('content.check_changed')}</p>`} ${lines}`)
}

function findingPart(visit: SignedIn, finding: Found, job: string, title: string): Html {
  const link = html`<a class="button" href="${editorPath(visit, finding)}"
    >${visit.t('content.check_open')}<span class="unseen"> ${finding.place}, ${title}</span></a
  >`
  return findingLine(visit, { finding, job, title, link })
}

interface FindingLine {
  readonly finding: Found
  readonly job: string
  readonly title: string
  /** The link to the place of the finding. */
  readonly link: Html
}

function findingLine(visit: SignedIn, { finding, job, title, link }: FindingLine): Html {
  const { t } = visit
  const fixer = fixers.get(finding.fix?.call ?? '')
  const { nearest } = finding
  return html`<span class="what"
      >${withCode(finding.message)} ${nearest !== undefined && t('content.check_nearest', { path: nearest })}
      <small><code>${isShared(finding) && `${title}, `}${finding.place}</code></small></span
    >
    <span class="side"><span class="badge">${t(ruleKeys[finding.rule])}</span></span>
    <div class="line-forms">
      ${link}
      ${
        fixer &&
        mayRun(visit, fixer.action) &&
        postForm(visit, {
          path: adminPaths.checks,
          purpose,
          hidden: { do: 'mend', job, at: finding.place_in_check },
          body: html`<button>${t('content.check_fix')}<span class="unseen"> ${finding.place}, ${title}</span></button>`,
        })
      }
    </div>`
}

/** The editor at the place of a finding. Its script selects the text in `find`. */
function editorPath({ request }: SignedIn, { id, place }: ReportedFinding): string {
  const [, field = place, text = ''] = /^([\w.-]+)(?:: (.*))?$/s.exec(place) ?? []
  const find = field === 'body' && text !== '' ? `&find=${encodeURIComponent(text.slice(0, 500))}` : ''
  return `${objectPath(request, { kind: 'entry', id })}${find}#f-${field}`
}

const checkAll: Work = async (visit) => {
  const { job, failure } = await start(visit, content.check, everyEntry)
  return failure ?? goTo(visit, job === undefined ? adminPaths.checks : checkPath(job))
}

const checkPath = (job: string): string => `${adminPaths.checks}?job=${encodeURIComponent(job)}`

/** Makes the call of a finding, as the check stored it. */
const fixFinding: Work = async (visit, fields) => {
  const job = fields.get('job').slice(0, 200) || '-'
  const found = await readCheck(visit, job)
  const fix = found?.checked?.items[Number(fields.get('at'))]?.fix
  const fixer = fixers.get(fix?.call ?? '')
  if (!fix || !fixer) return goTo(visit, adminPaths.checks)
  const { failure } = await fixer.run(visit, fix.arguments)
  return failure ?? goDone(visit, checkPath(job), 'content.done_fixed')
}

/** Fixes all findings that have a fix, as they are now. */
const fixAll: Work = async (visit, fields) => {
  const { failure } = await run(visit, content.fix, { where: {}, expect: Number(fields.get('expect')) })
  return failure ?? goDone(visit, adminPaths.checks, 'content.done_fixed')
}

export const takeChecksForm = formTaker(purpose, { check: checkAll, mend: fixFinding, all: fixAll }, checksReply)
