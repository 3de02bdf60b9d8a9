// The part of the home page for problems: findings of the latest health check, each with its fix to copy, and of the last check of
// the entries.

import { commentActions } from '../../actions/comments/index.ts'
import { content } from '../../actions/content/index.ts'
import { countPending } from '../../content/comments/comment-store.ts'
import { health } from '../../actions/health/index.ts'
import { needsWork } from '../../doctor/finding.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { lastFindings } from '../content/last-check.ts'
import { mayRun } from '../navigation.ts'
import { toldElsewhere } from '../notices.ts'
import { lineList, panel } from '../parts/panel.ts'
import { toldFinding } from '../parts/told-finding.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/**
 * The comments that wait, the findings of the last health check, for visitors who may run it, and the broken links from the last
 * check of all entries.
 */
export async function attention(visit: SignedIn): Promise<HtmlValue> {
  const { t } = visit
  const [health, others] = [healthLines(visit), (await Promise.all([commentLine(visit), linkLine(visit)])).filter(Boolean)]
  if (health.length + others.length === 0) return undefined
  const more = health.length > 0 && html`<p><a href="${linkTo(visit.request, adminPaths.health)}">${t('home.all_checks')}</a></p>`
  const list = lineList([...others, ...health])
  return panel('attention', t('home.needs_attention'), html`${list} ${more}`, 'panel attention')
}

async function commentLine(visit: SignedIn): Promise<HtmlValue> {
  if (!mayRun(visit, commentActions.moderate)) return undefined
  const count = await countPending(visit.site.store.read)
  if (count === 0) return undefined
  return html`<a href="${linkTo(visit.request, adminPaths.comments)}">${visit.t('home.comments_wait', { count })}</a>`
}

function healthLines(visit: SignedIn): readonly Html[] {
  if (!mayRun(visit, health.check)) return []
  const found = visit.site.health.latest.filter((finding) => !toldElsewhere.has(finding.id) && needsWork(finding))
  return found
    .map((finding) => toldFinding(visit.t, finding))
    .map(
      ({ message, fix }) =>
        html`<span>${message}</span>
          ${fix !== null && html`<p class="address wide">${copyable(visit.t('home.the_fix'), fix)}</p>`}`,
    )
}

async function linkLine(visit: SignedIn): Promise<HtmlValue> {
  if (!mayRun(visit, content.check)) return undefined
  const count = (await lastFindings(visit)).filter(({ rule }) => rule === 'links').length
  return (
    count > 0 &&
    html`<span>${visit.t('home.broken_links', { count })}</span>
      <a href="${linkTo(visit.request, adminPaths.checks)}?rule=links">${visit.t('home.see_findings')}</a>`
  )
}
