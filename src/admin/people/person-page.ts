// One person: name, address and role, a new link, a lost second factor, and deleting the account.

import type { AccountItem } from '../../actions/classes/account-item.ts'
import { accountsDelete, accountsGet, accountsList, accountsReset, accountsUpdate } from '../../actions/classes/svc-accounts.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { factList } from '../parts/facts.ts'
import { checkField, doneBox, faultBox, radioField, selectField, textField } from '../parts/fields.ts'
import { roleChoices } from '../parts/role-words.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { linkReply } from './one-time-link-page.ts'
import { personLink } from './people-page.ts'

/** After a form that failed: its failure, and what was filled in. */
interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

/** GET; `id` names the account. */
export async function showPerson(visit: SignedIn): Promise<Reply> {
  return personReply(visit, visit.request.query.get('id') ?? '')
}

async function personReply(visit: SignedIn, id: string, view: View = {}): Promise<Reply> {
  const { item } = await get(visit, accountsGet, { id: id.slice(0, 254) || '-' })
  const isOwn = item.id === visit.session.account.id
  const fault = view.passwordFault ?? (view.failure && !isAtField(view.failure) ? sentenceOf(view.failure) : undefined)
  const body = html`${pageHead(item.name, item.email)}
  ${doneBox(visit.request.query.get('done') === 'saved' ? 'Saved.' : undefined)} ${faultBox(fault)}
  ${factList({
    'Last seen': shownTime(visit, item.last_seen),
    'Second step': item.second_factor ? 'yes' : 'no: the password alone signs in',
    Since: shownTime(visit, item.created_at),
  })}
  ${changeForm(visit, item, view)} ${resetForm(visit, item, isOwn)} ${!isOwn && (await deleteForm(visit, item))}`
  return pageReply(visit, view.status ?? 200, framed(visit, { title: item.name, body }), { headers: view.headers ?? {} })
}

const isAtField = ({ detail }: Failure): boolean => ['name', 'email', 'role'].includes(detail.field ?? '')

/** A form about this account. @param purpose what it is for */
const formOf = (visit: SignedIn, { id }: AccountItem, path: string, purpose: string, fields: HtmlValue): Html =>
  html`<form method="post" action="${linkTo(visit.request, path)}">
    ${csrfField(visit, purpose)}
    <input type="hidden" name="id" value="${id}" />
    ${fields}
  </form>`

function changeForm(visit: SignedIn, item: AccountItem, { fields, failure }: View): Html {
  const value = (name: 'name' | 'email' | 'role') => fields?.get(name) || item[name]
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
          ${textField({ name: 'name', label: 'Name', value: value('name'), required: true, fault: fault('name') })}
          ${textField({ name: 'email', label: 'E-mail', type: 'email', value: value('email'), required: true, fault: fault('email') })}
        </div>
        ${radioField({ name: 'role', label: 'Role', value: value('role'), choices: roleChoices, fault: fault('role') })}
        ${checkField({ name: 'disabled', label: 'Disabled', value: disabled ? 'yes' : '', help: 'Nobody can sign in with the account, and its tokens and apps do not work. A lower role or disabling also ends its sessions and apps.' })}
        ${passwordAgain(visit, undefined)}
        <p class="actions"><button class="primary">Save</button></p>`,
    )}
  </section>`
}

function resetForm(visit: SignedIn, item: AccountItem, isOwn: boolean): HtmlValue {
  if (item.disabled) return undefined
  const lost = checkField({
    name: 'second_factor',
    label: 'The phone and the recovery codes are lost, too',
    help: 'Ends the second step, so that the new password alone signs in. All admins are told.',
  })
  return html`<details class="card">
    <summary>New password link…</summary>
    <p>
      The password of ${item.email} stops working at once. All of its sessions and apps end. Tokens go on working.
      ${isOwn && html`<strong>This is your own account: you are signed out, and need the link to come back.</strong>`}
    </p>
    ${formOf(visit, item, adminPaths.resetPerson, 'reset-person', html`${item.second_factor && !isOwn && lost} ${passwordAgain(visit, undefined)} <button class="danger">End the password and make a link</button>`)}
  </details>`
}

async function deleteForm(visit: SignedIn, item: AccountItem): Promise<Html> {
  const { items } = await get(visit, accountsList, { limit: 100, sort: 'name' })
  const heirs = items
    .filter(({ id }) => id !== item.id)
    .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  return html`<details class="card">
    <summary>Delete…</summary>
    <p>Deletes the account ${item.email} with its tokens and apps. Its entries get another author. This can't be undone.</p>
    ${formOf(
      visit,
      item,
      adminPaths.deletePerson,
      'delete-person',
      html`${selectField({ name: 'give_to', label: 'Who gets the entries', value: visit.session.account.id, groups: new Map([['', heirs]]) })}
        ${passwordAgain(visit, undefined)} <button class="danger">Delete ${item.name}</button>`,
    )}
  </details>`
}

/** Reads one of the forms and asks for the proof that it needs. */
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
  const revision = Number(fields.get('revision'))
  const input = { id, ...given, disabled: fields.has('disabled') }
  const { failure } = await run(visit, accountsUpdate, input, Number.isSafeInteger(revision) ? { ifRevision: revision } : {})
  if (failure) return failed(visit, id, failure, fields)
  return goTo(visit, `${personLink(visit, id).slice(visit.request.basePath.length)}&done=saved`)
}

/** POST: ends the password and shows a link for a new one. */
export async function resetPerson(visit: SignedIn): Promise<Reply> {
  const { fields, id, refusedReply } = await readPersonForm(visit, 'reset-person')
  if (refusedReply) return refusedReply
  const { data, failure } = await run(visit, accountsReset, {
    id,
    ...(fields.has('second_factor') ? { second_factor: true } : {}),
  })
  if (failure) return failed(visit, id, failure, fields)
  return data.link === undefined ? goTo(visit, adminPaths.people) : linkReply(visit, data.item, data.link)
}

/** POST */
export async function deletePerson(visit: SignedIn): Promise<Reply> {
  const { fields, id, refusedReply } = await readPersonForm(visit, 'delete-person')
  if (refusedReply) return refusedReply
  const { failure } = await run(visit, accountsDelete, { id, give_to: fields.get('give_to'), expect: 1 })
  return failure ? failed(visit, id, failure, fields) : goTo(visit, `${adminPaths.people}?done=deleted`)
}
