// Checks: the findings of SVC_Content.check by the thing that has them, each with a link to its place. Buttons fix one of them, or
// all that a call can fix.

import { content } from '../../actions/content/index.ts'
import { type CheckRule, checkRules } from '../../content/entries/check-entry.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { startedJob } from '../operations/job-parts.ts'
import { get, notYours } from '../page.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { emptyState, pageHead, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { entryPart, type NumberedFinding, isOfEntry, ruleKeys, sharedPart, type CheckedEntry } from './check-findings.ts'
import { checkAll, fixAll, fixAllForm, fixFinding, purpose } from './check-fixes.ts'
import { type ReportedFinding, lastCheckId, type LastCheck, readCheck } from './last-check.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** The number of entries on a page. */
const pageEntries = 50

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
  const all: readonly NumberedFinding[] = checked.items.map((finding, place) => ({ ...finding, place_in_check: place }))
  const listed = all.filter((one) => rule === undefined || one.rule === rule)
  // Findings in what the whole site shares come first. All redirects are one group.
  const shared = groupBy(
    listed.filter((one) => !isOfEntry(one)),
    ({ kind, id }) => (kind === 'redirect' ? 'redirects' : id),
  )
  const groups = [...groupBy(listed.filter(isOfEntry), ({ id }) => id)]
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
    ${fixAllForm(visit, found)} ${from === 0 && [...shared].map(([id, findings]) => sharedPart(visit, { id, findings, job }))}
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

async function readEntries(visit: SignedIn, ids: readonly string[]): Promise<ReadonlyMap<string, CheckedEntry>> {
  const where = { id: { in: ids } }
  const { items } = await get(visit, content.list, { where, limit: pageEntries }, { select: ['id', 'title', 'updated_at'] })
  return new Map(items.map((item) => [item.id, item]))
}

export const takeChecksForm = formTaker(purpose, { check: checkAll, fix: fixFinding, all: fixAll }, checksReply)
