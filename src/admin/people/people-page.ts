// People: the accounts, their roles, and the form that adds an account. person-page.ts shows one of them.

import type { AccountItem } from '../../actions/accounts/account-item.ts'
import { accounts } from '../../actions/accounts/index.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { get } from '../page.ts'
import { declareForm, declaredForm, type FormRows } from '../parts/declared-form.ts'
import { taking } from '../parts/form-input.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { roleChoices, roleName } from '../parts/role-words.ts'
import { pageHead, searchField, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { linkReply } from './one-time-link-page.ts'

/** The fields that every account has. */
export const accountRows: FormRows = [
  [
    { name: 'name', label: 'people.name', required: true },
    { name: 'email', control: 'email', label: 'people.email', required: true },
  ],
  { name: 'role', control: 'radio', label: 'people.role', blank: 'content' },
]

const addForm = declareForm(accounts.create, { path: adminPaths.people, button: 'people.add' }, accountRows)

export const showPeople = (visit: SignedIn): Promise<Reply> => peopleReply(visit)

async function peopleReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { request, t } = visit
  const query = listAddress(request, adminPaths.people)
  const asked = query.pick('cursor', 'sort', 'search')
  const { items, next_cursor: next } = await get(visit, accounts.list, asked)
  const form = declaredForm(visit, addForm, {
    refused,
    choices: { role: roleChoices(t) },
    last: passwordAgain(visit, refused.passwordFault),
  })
  const body = html`${pageHead(t('people.title'), t('people.lead'))}
  ${(next !== null || asked.search !== undefined) && searchField(t, linkTo(request, adminPaths.people), asked.search, t('people.search'))}
  ${table(t, {
    caption: t('people.title'),
    rows: items,
    query,
    sort: 'created_at',
    columns: [
      { label: t('people.name'), sort: 'name', cell: ({ id, name }) => html`<a href="${personLink(visit, id)}">${name}</a>` },
      { label: t('people.email'), sort: 'email', cell: ({ email }) => email, wideOnly: true },
      {
        label: t('people.role'),
        cell: (item) =>
          html`${roleName(t, item.role)} ${item.disabled && html`<small class="quiet">${t('people.disabled_badge')}</small>`}`,
      },
      { label: t('people.second_step'), cell: (item) => t(item.second_factor ? 'people.yes' : 'people.no'), wideOnly: true },
      { label: t('people.last_seen'), end: true, cell: (item) => shownTime(visit, item.last_seen) },
    ],
  })}
  ${pagerOf(query.with({}), next, t)}
  ${panel(
    'add',
    t('people.add_somebody'),
    html`<p>${t('people.add_help')}</p>
      ${form}`,
    'card',
  )}`
  return framedReply(visit, { title: t('people.title'), body }, refused)
}

export const personLink = ({ request }: SignedIn, id: AccountItem['id']): string =>
  `${linkTo(request, adminPaths.person)}?id=${encodeURIComponent(id)}`

export const addPerson = provenTaker(adminPaths.people, taking(addForm, linkReply), peopleReply)
