// The forms of the page of checks: they start a check of the whole site, and fix what it found.

import { content } from '../../actions/content/index.ts'
import { everyEntry } from '../../actions/content/last-check.ts'
import type { Failure } from '../../base/failure.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { run, start } from '../page.ts'
import { donePath, goDone } from '../parts/done-notice.ts'
import { postForm, type Work } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { type LastCheck, readCheck, type ReportedFinding } from './last-check.ts'

export const purpose = 'checks'

/** True for a finding with a call that fixes it. */
export const isFixable = ({ fix }: ReportedFinding): boolean => fix !== null

/** The most findings that one press fixes. */
const maxFixed = 500

/** A button that fixes the findings of a check that have a fix; nothing if there are fewer than two. */
export function fixAllForm(visit: SignedIn, { job, checked }: LastCheck): HtmlValue {
  const count = checked?.items.filter(isFixable).length ?? 0
  if (count < 2 || !mayRun(visit, content.fix)) return undefined
  const form = postForm(visit, {
    path: adminPaths.checks,
    purpose,
    hidden: { do: 'all', job: job.id },
    body: html`<button>${visit.t('content.check_fix_all', { count: Math.min(count, maxFixed) })}</button>`,
  })
  return html`<div class="above">${form}</div>`
}

const checkPath = (job: string): string => `${adminPaths.checks}?job=${encodeURIComponent(job)}`

export const checkAll: Work = async (visit) => {
  const { job, failure } = await start(visit, content.check, everyEntry)
  return failure ?? goTo(visit, job === undefined ? adminPaths.checks : checkPath(job))
}

/** Fixes one finding of a check. */
export const fixFinding: Work = async (visit, fields) => {
  const job = fields.get('job').slice(0, 200) || '-'
  const finding = (await readCheck(visit, job))?.checked?.items[Number(fields.get('at'))]
  if (!finding || !isFixable(finding)) return goTo(visit, adminPaths.checks)
  const { fixed, left, failure } = await fixThese(visit, [finding])
  if (failure) return failure
  return goDone(visit, checkPath(job), left > 0 || fixed === 0 ? 'content.done_fixed_none' : 'content.done_fixed')
}

/** Fixes the findings of a check that have a fix, and checks again. */
export const fixAll: Work = async (visit, fields) => {
  const job = fields.get('job').slice(0, 200) || '-'
  const items = (await readCheck(visit, job))?.checked?.items.filter(isFixable).slice(0, maxFixed) ?? []
  if (items.length === 0) return goTo(visit, adminPaths.checks)
  const { fixed, left, failure } = await fixThese(visit, items)
  return failure ?? checkAgain(visit, fixed, left)
}

async function checkAgain(visit: SignedIn, fixed: number, left: number): Promise<Reply> {
  const { job } = await start(visit, content.check, everyEntry)
  const path = job === undefined ? adminPaths.checks : checkPath(job)
  if (fixed === 0) return goTo(visit, donePath(path, 'content.done_fixed_none'))
  return goTo(visit, donePath(path, left === 0 ? 'content.done_fixed_all' : 'content.done_fixed_some', fixed))
}

interface Fixed {
  readonly fixed: number
  /** The number of findings that were not fixed. */
  readonly left: number
  readonly failure?: Failure
}

/** Fixes findings. Those that changed since the check, or that the limits of the person exclude, are left. */
async function fixThese(visit: SignedIn, items: readonly ReportedFinding[]): Promise<Fixed> {
  const findings = items.map(({ id, rule, place }) => ({ id, rule, place }))
  const all = await run(visit, content.fix, { findings, expect: findings.length })
  const rest = all.failure?.code === 'conflict' ? all.failure.detail['expected'] : undefined
  // The person agreed to fix these, and fixing fewer of them is no surprise.
  const { data, failure } = typeof rest === 'number' ? await run(visit, content.fix, { findings, expect: rest }) : all
  return failure ? { fixed: 0, left: 0, failure } : { fixed: data.fixed, left: data.counts.left }
}
