// One form: what was sent by it, its fields, who gets the mails, and what becomes of it.

import { forms } from '../../actions/forms/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { numberIn } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, checkField, linesField, textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { fieldRows, fieldsIn, type FormShown } from './form-fields.ts'
import { formPath } from './forms-page.ts'
import { submissionsPanel, submissionWorks } from './submissions.ts'

export const showForm = (visit: SignedIn): Promise<Reply> => formReply(visit)

const idIn = (visit: SignedIn, { fields }: Refused): string =>
  (fields?.get('id') ?? visit.request.query.get('id') ?? '').slice(0, 100) || '-'

async function formReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, forms.get, { id: idIn(visit, refused) })
  const all = linkButton(visit, adminPaths.forms, 'structure.all_forms')
  const body = html`${pageHead(item.name, t('structure.form_lead'), all)}
    <p class="copyable">
      <code>::: form {form="${item.slug}"}<br />:::</code>
    </p>
    ${mayRun(visit, forms.submissions) && (await submissionsPanel(visit, item, refused))}
    ${mayRun(visit, forms.update) && changePanel(visit, item, refused)} ${mayRun(visit, forms.delete) && deletePanel(visit, item)}`
  return framedReply(visit, { title: item.name, body }, refused)
}

function changePanel(visit: SignedIn, item: FormShown, { fields: all, failure }: Refused): Html {
  const { t } = visit
  const fields = all?.get('do') === 'change' ? all : undefined
  const faults = faultsOf(t, fields && failure, ['name', 'receivers', 'thanks', 'thanks_page', 'reply', 'consent', 'keep_days'])
  const text = (name: 'name' | 'thanks_page' | 'consent', label: string, stored: string, help?: string) =>
    textField({ name, label, value: fields?.get(name) ?? stored, help, fault: faults.at(name) })
  const area = (name: 'thanks' | 'reply', label: string, stored: string, help: string) =>
    areaField({ name, label, value: fields?.get(name) ?? stored, help, rows: 3, fault: faults.at(name) })
  const receivers =
    item.receivers &&
    linesField({
      name: 'receivers',
      label: t('structure.form_receivers'),
      value: fields?.get('receivers') ?? item.receivers.join('\n'),
      help: t('structure.form_receivers_help'),
      fault: faults.at('receivers'),
    })
  const form = postForm(visit, {
    path: adminPaths.form,
    hidden: { do: 'change', id: item.id },
    body: html`${text('name', t('structure.name'), item.name)}
      <fieldset>
        <legend>${t('structure.form_fields')}</legend>
        ${fieldRows(t, item, fields)}
      </fieldset>
      ${receivers} ${area('thanks', t('structure.form_thanks'), item.thanks, t('structure.form_thanks_help'))}
      ${text('thanks_page', t('structure.form_thanks_page'), item.thanks_page ?? '', t('structure.form_thanks_page_help'))}
      ${item.receivers && area('reply', t('structure.form_reply'), item.reply ?? '', t('structure.form_reply_help'))}
      ${text('consent', t('structure.form_consent'), item.consent ?? '', t('structure.form_consent_help'))}
      ${textField({ name: 'keep_days', label: t('structure.form_keep_days'), value: fields?.get('keep_days') ?? String(item.keep_days), fault: faults.at('keep_days') })}
      ${checkField({ name: 'open', label: t('structure.form_open'), value: (fields ? fields.has('open') : item.open) ? 'yes' : '' })}
      <p class="actions"><button class="primary">${t('structure.save')}</button></p>`,
  })
  return panel('change', t('structure.form_change'), form, 'card')
}

function deletePanel(visit: SignedIn, item: FormShown): Html {
  const { t } = visit
  const form = postForm(visit, {
    path: adminPaths.form,
    hidden: { do: 'delete', id: item.id },
    body: html`<p class="actions"><button class="danger">${t('structure.form_delete')}</button></p>`,
  })
  return panel(
    'delete',
    t('structure.form_delete'),
    html`<p class="quiet">${t('structure.form_delete_help')}</p>
      ${form}`,
  )
}

const works: Readonly<Record<string, Work>> = {
  async change(visit, fields) {
    const id = fields.get('id')
    const before = await get(visit, forms.get, { id })
    const receivers = fields
      .get('receivers')
      .split(/[\s,]+/)
      .filter((one) => one !== '')
    const isOther = before.item.receivers !== undefined && receivers.join(' ') !== before.item.receivers.join(' ')
    const optional = (name: string) => fields.get(name).trim() || null
    const isAnswered = before.item.receivers !== undefined && optional('reply') !== before.item.reply
    const { failure } = await run(visit, forms.update, {
      id,
      name: fields.get('name').trim(),
      fields: fieldsIn(fields),
      thanks: fields.get('thanks').trim(),
      thanks_page: optional('thanks_page'),
      consent: optional('consent'),
      keep_days: numberIn(fields.get('keep_days').trim()),
      open: fields.has('open'),
      ...(isOther && { receivers }),
      ...(isAnswered && { reply: optional('reply') }),
    })
    return failure ?? goDone(visit, formPath(id), forms.update)
  },
  async delete(visit, fields) {
    const { failure } = await run(visit, forms.delete, { id: fields.get('id') })
    return failure ?? goDone(visit, adminPaths.forms, forms.delete)
  },
  ...submissionWorks,
}

export const saveForm = formTaker(adminPaths.form, works, formReply)
