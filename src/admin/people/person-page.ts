// One person: name, address and role, a new link, a lost second factor, and deleting the account.

import type { AccountItem } from '../../actions/accounts/account-item.ts'
import { accounts } from '../../actions/accounts/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, proofFault, provenTaker } from '../access/confirm-password.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { get } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { checkField, selectField } from '../parts/fields.ts'
import { onItem, taking } from '../parts/form-input.ts'
import { postForm, type Work } from '../parts/post-form.ts'
import { roleChoices } from '../parts/role-words.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { linkReply } from './one-time-link-page.ts'
import { accountRows, personLink } from './people-page.ts'
import { profileRows } from './profile-fields.ts'

const changeForm = declareForm(accounts.update, { path: adminPaths.person, button: 'people.save' }, [
  ...accountRows,
  { heading: 'people.profile' },
  ...profileRows,
  { name: 'disabled', control: 'box', label: 'people.disabled', help: 'people.disabled_help' },
])

/** GET; `id` names the account. */
export const showPerson = (visit: SignedIn): Promise<Reply> => personReply(visit, visit.request.query.get('id') ?? '')

async function personReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, accounts.get, { id: id.slice(0, 254) || '-' })
  const isOwn = item.id === visit.session.account.id
  const change = declaredForm(visit, changeForm, {
    item,
    refused,
    choices: { role: roleChoices(t) },
    last: proofField(visit, refused, adminPaths.person),
  })
  const body = html`${pageHead(item.name, item.email)}
    ${factList({
      [t('people.last_seen')]: shownTime(visit, item.last_seen),
      [t('people.second_step')]: t(item.second_factor ? 'people.yes' : 'people.password_alone'),
      [t('people.since')]: shownTime(visit, item.created_at),
    })}
    <section class="card">${change}</section>
    ${!item.disabled && resetForm(visit, item, isOwn, refused)} ${!isOwn && (await deleteForm(visit, item, refused))}`
  return framedReply(visit, { title: item.name, body }, refused)
}

/** The field for the proof, in one of the forms of the page. */
const proofField = (visit: SignedIn, refused: Refused, path: string): HtmlValue =>
  passwordAgain(visit, proofFault(visit, refused, path))

function resetForm(
  visit: SignedIn,
  { id, email, second_factor: hasFactor }: AccountItem,
  isOwn: boolean,
  refused: Refused,
): Html {
  const { t } = visit
  const lost = checkField({ name: 'second_factor', label: t('people.lost_factor'), help: t('people.lost_factor_help') })
  return html`<details class="card">
    <summary>${t('people.new_link')}</summary>
    <p>${t('people.new_link_help', { email })} ${isOwn && html`<strong>${t('people.new_link_own')}</strong>`}</p>
    ${postForm(visit, {
      path: adminPaths.resetPerson,
      hidden: { id },
      body: html`${hasFactor && !isOwn && lost} ${proofField(visit, refused, adminPaths.resetPerson)}
        <button class="danger">${t('people.make_link')}</button>`,
    })}
  </details>`
}

async function deleteForm(visit: SignedIn, item: AccountItem, refused: Refused): Promise<Html> {
  const { t } = visit
  const { items } = await get(visit, accounts.list, { limit: 100, sort: 'name' })
  const heirs = items
    .filter(({ id }) => id !== item.id)
    .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  return html`<details class="card">
    <summary>${t('people.delete')}</summary>
    <p>${t('people.delete_help', { email: item.email })}</p>
    ${postForm(visit, {
      path: adminPaths.deletePerson,
      hidden: { id: item.id },
      body: html`${selectField({ name: 'give_to', label: t('people.give_to'), value: visit.session.account.id, choices: heirs })}
        ${proofField(visit, refused, adminPaths.deletePerson)}
        <button class="danger">${t('people.delete_named', { name: item.name })}</button>`,
    })}
  </details>`
}

/** Returns the handler of one of the forms. */
const taker = (path: string, work: Work) =>
  provenTaker(path, work, (visit, refused) => personReply(visit, refused.fields.get('id'), refused))

/** POST: changes name, address, role, or whether the account is disabled. */
export const changePerson = taker(
  adminPaths.person,
  taking(changeForm, (visit, _data, fields) => {
    return goDone(visit, personLink(visit, fields.get('id')).slice(visit.request.basePath.length), accounts.update)
  }),
)

/** POST: ends the password and shows a link for a new one. */
export const resetPerson = taker(
  adminPaths.resetPerson,
  onItem(accounts.reset, linkReply, (fields) => (fields.has('second_factor') ? { second_factor: true } : {})),
)

const remove = onItem(
  accounts.delete,
  (visit) => goDone(visit, adminPaths.people, accounts.delete),
  (fields) => ({ give_to: fields.get('give_to') }),
)

export const deletePerson = taker(adminPaths.deletePerson, remove)
