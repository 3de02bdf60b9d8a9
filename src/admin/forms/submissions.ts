// The submissions of a form: the list by state, the buttons that mark, and the file for a spreadsheet.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { forms } from '../../actions/forms/index.ts'
import { consentName } from '../../actions/forms/submit-form.ts'
import { states, type SubmissionState } from '../../actions/forms/submissions.ts'
import { csvLine, plainCell } from '../../base/csv.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { contentDisposition } from '../../http/content-disposition.ts'
import type { Reply } from '../../http/reply.ts'
import type { Refused } from '../framed-reply.ts'
import { sizeInWords } from '../media/media-view.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import type { FormShown } from './form-fields.ts'
import { formPath } from './forms-page.ts'

type Submission = AnswerOf<typeof forms.submissions.output>['items'][number]

const stateWords: Readonly<Record<SubmissionState, MessageKey>> = {
  new: 'structure.form_state_new',
  done: 'structure.form_state_done',
  spam: 'structure.form_state_spam',
}

/** The buttons of each state: what may become of a submission. */
const buttons: Readonly<Record<SubmissionState, readonly (readonly [SubmissionState, MessageKey])[]>> = {
  new: [
    ['done', 'structure.form_mark_done'],
    ['spam', 'structure.form_mark_spam'],
  ],
  done: [['new', 'structure.form_mark_new']],
  spam: [['new', 'structure.form_mark_not_spam']],
}

export async function submissionsPanel(visit: SignedIn, form: FormShown, refused: Refused): Promise<Html> {
  const { t, request } = visit
  const address = listAddress(request, adminPaths.form)
  const state = states.find((one) => one === address.get('state')) ?? 'new'
  const { items, next_cursor: next } = await get(visit, forms.submissions, {
    ...address.pick('cursor', 'search'),
    where: { form: form.id, state },
  })
  const links = states.map((one) => ({
    label: t(stateWords[one]),
    href: `${address.with({ state: one, cursor: undefined, id: form.id })}#sent`,
    current: one === state,
  }))
  const list =
    items.length === 0
      ? emptyState(t('structure.form_nothing'), t('structure.form_nothing_help'))
      : html`${table(t, {
          caption: t('structure.form_sent_list'),
          rows: items,
          columns: [
            { label: t('structure.form_sent'), cell: (item) => contentsOf(visit, form, item) },
            {
              label: t('structure.form_when'),
              cell: (item) => html`${shownTime(visit, item.created_at)} ${markForms(visit, form, item)}`,
              end: true,
            },
          ],
        })}
        ${pagerOf(address.with({ cursor: undefined, id: form.id }), next, t)}`
  const csv = html`<p><a href="${linkTo(request, adminPaths.formCsv)}?id=${form.id}">${t('structure.form_csv')}</a></p>`
  return panel(
    'sent',
    t('structure.form_sent'),
    html`${tabs(t('structure.form_sent'), links)} ${list} ${csv} ${eraseForm(visit, form, refused)}`,
  )
}

function contentsOf(visit: SignedIn, { fields }: FormShown, item: Submission): Html {
  const { t } = visit
  const { values, reason, path, files } = item
  const labels = new Map([...fields.map(({ name, label }) => [name, label] as const), [consentName, t('structure.form_consent')]])
  return html`<dl class="facts">
      ${Object.entries(values).map(
        ([name, value]) =>
          html`<div>
            <dt>${labels.get(name) ?? name}</dt>
            <dd class="lines">${files.some(({ field }) => field === name) ? linksTo(visit, item, name) : value}</dd>
          </div>`,
      )}
    </dl>
    ${reason !== null && html`<p class="quiet">${t('structure.form_spam_reason', { reason: t.said(reason) })}</p>`}
    ${path !== null && html`<small>${path}</small>`}`
}

/** The files of a field, each with its link. */
function linksTo({ t, request }: SignedIn, { id, files }: Submission, name: string): readonly Html[] {
  const address = (number: number) => `${linkTo(request, adminPaths.formFile)}?id=${id}&file=${number}`
  return files.flatMap((file, number) =>
    file.field === name ? [html`<a href="${address(number)}">${file.name}</a> (${sizeInWords(t, file.bytes)})${'\n'}`] : [],
  )
}

function markForms(visit: SignedIn, form: FormShown, { id, state }: Submission): readonly Html[] {
  return buttons[state].map(([next, label]) =>
    postForm(visit, {
      path: adminPaths.form,
      hidden: { do: 'mark', id: form.id, submission: id, next },
      body: html`<button>${visit.t(label)}</button>`,
    }),
  )
}

function eraseForm(visit: SignedIn, form: FormShown, { fields: all, failure }: Refused): Html {
  const { t } = visit
  const fields = all?.get('do') === 'erase' ? all : undefined
  const faults = faultsOf(t, fields && failure, ['email'])
  const body = html`${textField({ name: 'email', label: t('structure.form_erase_email'), type: 'email', value: fields?.get('email'), required: true, fault: faults.at('email') })}
    <p class="actions"><button class="danger">${t('structure.form_erase')}</button></p>`
  return html`<details ${fields !== undefined && 'open'}>
    <summary>${t('structure.form_erase_title')}</summary>
    <p class="quiet">${t('structure.form_erase_help')}</p>
    ${postForm(visit, { path: adminPaths.form, hidden: { do: 'erase', id: form.id }, body })}
  </details>`
}

/** The forms of the panel. */
export const submissionWorks: Readonly<Record<string, Work>> = {
  async mark(visit, fields) {
    const status = states.find((one) => one === fields.get('next')) ?? 'new'
    const { failure } = await run(visit, forms.mark, { ids: [fields.get('submission')], status })
    return failure ?? goDone(visit, `${formPath(fields.get('id'))}#sent`, forms.mark)
  },
  async erase(visit, fields) {
    const email = fields.get('email').trim()
    const { total } = await get(visit, forms.submissions, { where: { email }, limit: 1, count: true })
    const { failure } = await run(visit, forms.erase, { email, expect: total ?? 0 })
    return failure ?? goDone(visit, `${formPath(fields.get('id'))}#sent`, forms.erase)
  },
}

/** The most rows of a file. */
const maxRows = 10_000

/** GET: all submissions of a form but spam, for a spreadsheet. No cell is taken for a formula. */
export async function sendSubmissions(visit: SignedIn): Promise<Reply> {
  const { item: form } = await get(visit, forms.get, { id: visit.request.query.get('id') ?? '-' })
  const names = form.fields.map(({ name }) => name)
  let text = csvLine(['time', 'state', 'path', ...form.fields.map(({ label }) => plainCell(label))])
  let cursor: string | undefined
  let count = 0
  do {
    const page = await get(visit, forms.submissions, {
      where: { form: form.id },
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { created_at: at, state, path, values } of page.items)
      if (state !== 'spam') text += csvLine([at, state, path ?? '', ...names.map((name) => plainCell(values[name] ?? ''))])
    count += page.items.length
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && count < maxRows)
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition('attachment', `${form.slug}.csv`),
    'cache-control': 'no-store',
  }
  return { status: 200, headers, body: { bytes: Buffer.from(text) } }
}
