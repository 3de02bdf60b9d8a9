// Findings of a check on the page of checks: those of each entry, of each menu, of the theme and of the redirects, with links to
// their place, and buttons that fix them.

import { content } from '../../actions/content/index.ts'
import { type CheckRule } from '../../content/entries/check-entry.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { mayRun } from '../navigation.ts'
import { objectPath } from '../parts/object-link.ts'
import { lineList, panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { purpose, isFixable } from './check-fixes.ts'
import type { LastCheck, ReportedFinding } from './last-check.ts'

export const ruleKeys: Readonly<Record<CheckRule, MessageKey>> = {
  links: 'content.rule_links',
  fragments: 'content.rule_fragments',
  alt: 'content.rule_alt',
  headings: 'content.rule_headings',
  lengths: 'content.rule_lengths',
  orphans: 'content.rule_orphans',
  sections: 'content.rule_sections',
  titles: 'content.rule_titles',
  menus: 'content.rule_menus',
  themes: 'content.rule_themes',
  redirects: 'content.rule_redirects',
}

/** A finding with its place in the check. */
export interface NumberedFinding extends ReportedFinding {
  readonly place_in_check: number
}

export interface CheckedEntry {
  readonly id: string
  readonly title: string
  readonly updated_at: string
}

/** True for a finding in an entry. Findings of older releases, which are about entries alone, have no `kind`. */
export const isOfEntry = ({ kind }: ReportedFinding): boolean => (kind ?? 'entry') === 'entry'

/** The findings of one thing. */
interface Findings {
  readonly id: string
  readonly findings: readonly NumberedFinding[]
  readonly job: LastCheck['job']
}

/** @param group.entry undefined for an entry that is gone or in the trash */
export function entryPart(
  visit: SignedIn,
  { id, findings, job, entry }: Findings & { readonly entry: CheckedEntry | undefined },
): HtmlValue {
  const { t, request } = visit
  if (!entry) return undefined
  const isChanged = Date.parse(entry.updated_at) > Date.parse(job.finished_at ?? job.created_at)
  const link = html`<a href="${objectPath(request, { kind: 'entry', id })}">${entry.title || t('content.without_title')}</a>`
  const lines = findings.map((finding) =>
    findingLine(visit, { finding, job: job.id, title: entry.title, open: editorPath(visit, finding) }),
  )
  return panel(`e-${id}`, link, html`${isChanged && html`<p class="quiet">${t('content.check_changed')}</p>`} ${lineList(lines)}`)
}

/** The findings in a menu, in a theme, or in all redirects. */
export function sharedPart(visit: SignedIn, { id, findings, job }: Findings): HtmlValue {
  const [first] = findings
  if (!first) return undefined
  const { t, request } = visit
  const isRedirect = first.kind === 'redirect'
  const page = isRedirect ? linkTo(request, adminPaths.redirects) : objectPath(request, first)
  const name = isRedirect ? t('shell.redirects') : t('content.check_thing', { kind: t(ruleKeys[first.rule]), title: first.title })
  const lines = findings.map((finding) => {
    const { title, path } = finding
    const open = isRedirect ? `${page}?search=${encodeURIComponent(path ?? '')}` : page
    return findingLine(visit, { finding, job: job.id, title, open, of: isRedirect ? title : undefined })
  })
  return panel(`s-${id}`, html`<a href="${page}">${name}</a>`, lineList(lines))
}

interface FindingLine {
  readonly finding: NumberedFinding
  readonly job: string
  readonly title: string
  /** The address of the page that shows its place. */
  readonly open: string | undefined
  /** The thing that has it, where the panel is about several. */
  readonly of?: string | undefined
}

function findingLine(visit: SignedIn, { finding, job, title, open, of }: FindingLine): Html {
  const { t } = visit
  const { nearest, place, message, rule } = finding
  // People know an item of a menu by its label.
  const shownPlace = of ?? place.replace(/^items\.[a-z0-9-]+: /, '')
  const about = html`<span class="unseen"> ${shownPlace}, ${title}</span>`
  return html`<span class="what"
      >${withCode(message)} ${nearest !== undefined && t('content.check_nearest', { path: nearest })}
      <small><code>${shownPlace}</code></small></span
    >
    <span class="side"><span class="badge">${t(ruleKeys[rule])}</span></span>
    <div class="line-forms">
      <a class="button" href="${open}">${t(isOfEntry(finding) ? 'content.check_open' : 'content.open')}${about}</a>
      ${
        isFixable(finding) &&
        mayRun(visit, content.fix) &&
        postForm(visit, {
          path: adminPaths.checks,
          purpose,
          hidden: { do: 'fix', job, at: finding.place_in_check },
          body: html`<button>${t('content.check_fix')}${about}</button>`,
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
