// One person: name, address and role, a new link, a lost second factor, and deleting the account.

import type { AccountItem } from '../../actions/classes/account-item.ts'
import { accounts } from '../../actions/classes/svc-accounts/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused, proofFault } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { checkField, faultBox, radioField, selectField, textField } from '../parts/fields.ts'
import { roleChoices } from '../parts/role-words.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { sinceShown } from '../parts/post-form.ts'
import { linkReply } from './one-time-link-page.ts'
import { personLink } from './people-page.ts'
import { profileFieldNames, profileFields, readProfile } from './profile-fields.ts'

/** The state after a refused form: the failure and the values that were filled in. */
interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

/** GET; `id` names the account. */
export async function showPerson(visit: SignedIn): Promise<Reply> {
  return personReply(visit, visit.request.query.get('id') ?? '')
}

async function personReply(visit: SignedIn, id: string, view: View = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, accounts.get, { id: id.slice(0, 254) || '-' })
  const isOwn = item.id === visit.session.account.id
  const fault = view.passwordFault ?? (view.failure && !isAtField(view.failure) ? sentenceOf(view.failure, t) : undefined)
  const body = html`${pageHead(item.name, item.email)} ${faultBox(fault)}
  ${factList({
    [t('people.last_seen')]: shownTime(visit, item.last_seen),
    [t('people.second_step')]: t(item.second_factor ? 'people.yes' : 'people.password_alone'),
    [t('people.since')]: shownTime(visit, item.created_at),
  })}
  ${changeForm(visit, item, view)} ${resetForm(visit, item, isOwn, view)} ${!isOwn && (await deleteForm(visit, item, view))}`
  return pageReply(visit, view.status ?? 200, framed(visit, { title: item.name, body }), { headers: view.headers ?? {} })
}

const isAtField = ({ detail }: Failure): boolean => ['name', 'email', 'role', ...profileFieldNames].includes(detail.field ?? '')

/** A form about this account. @param purpose the purpose in the token */
const formOf = (visit: SignedIn, { id }: AccountItem, path: string, purpose: string, fields: HtmlValue): Html =>
  html`<form method="post" action="${linkTo(visit.request, path)}">
    ${csrfField(visit, purpose)}
    <input type="hidden" name="id" value="${id}" />
    ${fields}
  </form>`

function changeForm(visit: SignedIn, item: AccountItem, view: View): Html {
  const { fields, failure } = view
  const { t } = visit
  const value = (name: 'name' | 'email' | 'role') => (fields?.has(name) ? fields.get(name) : item[name])
  const fault = (name: string) => (failure?.detail.field === name ? failure.message : undefined)
  const disabled = fields ? fields.has('disabled') : item.disabled
  return html`<section class="card">
    ${formOf(
      visit,
      item,
      adminPaths.person,
      'change-person',
      html`<input type="hidden" name="revision" value="${fields?.get('revision') || String(item.revision)}" />
        <div class="two">
          ${textField({ name: 'name', label: t('people.name'), value: value('name'), required: true, fault: fault('name') })}
          ${textField({ name: 'email', label: t('people.email'), type: 'email', value: value('email'), required: true, fault: fault('email') })}
        </div>
        ${radioField({ name: 'role', label: t('people.role'), value: value('role'), choices: roleChoices(t), fault: fault('role') })}
        <h2>${t('people.profile')}</h2>
        ${profileFields(t, { profile: item, fields, fault })}
        ${checkField({ name: 'disabled', label: t('people.disabled'), value: disabled ? 'yes' : '', help: t('people.disabled_help') })}
        ${passwordAgain(visit, proofFault(visit, view, adminPaths.person))}
        <p class="actions"><button class="primary">${t('people.save')}</button></p>`,
    )}
  </section>`
}

function resetForm(visit: SignedIn, item: AccountItem, isOwn: boolean, view: View): HtmlValue {
  if (item.disabled) return undefined
  const { t } = visit
  const lost = checkField({
    name: 'second_factor',
    label: t('people.lost_factor'),
    help: t('people.lost_factor_help'),
  })
  return html`<details class="card">
    <summary>${t('people.new_link')}</summary>
    <p>${t('people.new_link_help', { email: item.email })} ${isOwn && html`<strong>${t('people.new_link_own')}</strong>`}</p>
    ${formOf(visit, item, adminPaths.resetPerson, 'reset-person', html`${item.second_factor && !isOwn && lost} ${passwordAgain(visit, proofFault(visit, view, adminPaths.resetPerson))} <button class="danger">${t('people.make_link')}</button>`)}
  </details>`
}

async function deleteForm(visit: SignedIn, item: AccountItem, view: View): Promise<Html> {
  const { t } = visit
  const { items } = await get(visit, accounts.list, { limit: 100, sort: 'name' })
  const heirs = items
    .filter(({ id }) => id !== item.id)
    .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  return html`<details class="card">
    <summary>${t('people.delete')}</summary>
    <p>${t('people.delete_help', { email: item.email })}</p>
    ${formOf(
      visit,
      item,
      adminPaths.deletePerson,
      'delete-person',
      html`${selectField({ name: 'give_to', label: t('people.give_to'), value: visit.session.account.id, groups: new Map([['', heirs]]) })}
        ${passwordAgain(visit, proofFault(visit, view, adminPaths.deletePerson))}
        <button class="danger">${t('people.delete_named', { name: item.name })}</button>`,
    )}
  </details>`
}

/** Reads one of the forms and checks the proof that it needs. */
async function readPersonForm(visit: SignedIn, purpose: string) {
  const fields = await readFields(visit, purpose)
  const id = fields.get('id')
  const refused = await confirmPassword(visit, fields)
  return { fields, id, refusedReply: refused && (await personReply(visit, id, { ...refused, fields })) }
}

const failed = (visit: SignedIn, id: string, failure: Failure, fields: Fields): Promise<Reply> =>
  personReply(visit, id, { status: formStatus[failure.code], failure, fields })

/** POST: changes name, address, role, or whether the account is disabled. */
export async function changePerson(visit: SignedIn): Promise<Reply> {
  const { fields, id, refusedReply } = await readPersonForm(visit, 'change-person')
  if (refusedReply) return refusedReply
  const given = { name: fields.get('name').trim(), email: fields.get('email').trim(), role: fields.get('role') }
  const input = { id, ...given, ...readProfile(fields), disabled: fields.has('disabled') }
  const { failure } = await run(visit, accounts.update, input, sinceShown(fields))
  if (failure) return failed(visit, id, failure, fields)
  return goDone(visit, personLink(visit, id).slice(visit.request.basePath.length), accounts.update)
}

/** POST: ends the password and shows a link for a new one. */
export async function resetPerson(visit: SignedIn): Promise<Reply> {
  const { fields, id, refusedReply } = await readPersonForm(visit, 'reset-person')
  if (refusedReply) return refusedReply
  const { data, failure } = await run(visit, accounts.reset, {
    id,
    ...(fields.has('second_factor') ? { second_factor: true } : {}),
  })
  if (failure) return failed(visit, id, failure, fields)
  return data.link === undefined ? goTo(visit, adminPaths.people) : linkReply(visit, data.item, data.link)
}

export async function deletePerson(visit: SignedIn): Promise<Reply> {
  const { fields, id, refusedReply } = await readPersonForm(visit, 'delete-person')
  if (refusedReply) return refusedReply
  const { failure } = await run(visit, accounts.delete, { id, give_to: fields.get('give_to'), expect: 1 })
  return failure ? failed(visit, id, failure, fields) : goDone(visit, adminPaths.people, accounts.delete)
}
