// People: the accounts, their roles, and the form that adds an account. person-page.ts shows one of them.

import type { AccountItem } from '../../actions/classes/account-item.ts'
import { accounts } from '../../actions/classes/svc-accounts/index.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { faultBox, radioField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { roleChoices, roleName } from '../parts/role-words.ts'
import { pageHead, searchField, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { linkReply } from './one-time-link-page.ts'

/** The state after a refused form: the failure and the values that were filled in. */
interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

export async function showPeople(visit: SignedIn): Promise<Reply> {
  return peopleReply(visit)
}

async function peopleReply(visit: SignedIn, view: View = {}): Promise<Reply> {
  const { request, t } = visit
  const query = listAddress(request, adminPaths.people)
  const asked = query.pick('cursor', 'sort', 'search')
  const { items, next_cursor: next } = await get(visit, accounts.list, asked)
  const body = html`${pageHead(t('people.title'), t('people.lead'))}
  ${(next !== null || asked.search !== undefined) && searchField(t, linkTo(request, adminPaths.people), asked.search, t('people.search'))}
  ${table(
    {
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
    },
    t,
  )}
  ${pagerOf(query.with({}), next, t)} ${addForm(visit, view)}`
  return pageReply(visit, view.status ?? 200, framed(visit, { title: t('people.title'), body }), { headers: view.headers ?? {} })
}

export const personLink = ({ request }: SignedIn, id: AccountItem['id']): string =>
  `${linkTo(request, adminPaths.person)}?id=${encodeURIComponent(id)}`

function addForm(visit: SignedIn, { fields, failure, passwordFault }: View): Html {
  const { t } = visit
  const value = (name: string) => fields?.get(name)
  const fault = (name: string) => (failure?.detail.field === name ? failure.message : undefined)
  const atField = ['name', 'email', 'role'].some((name) => fault(name) !== undefined)
  return html`<section class="card" aria-labelledby="add">
    <h2 id="add">${t('people.add_somebody')}</h2>
    <p>${t('people.add_help')}</p>
    ${faultBox(failure && !atField ? sentenceOf(failure, t) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.people)}">
      ${csrfField(visit, 'add-person')}
      <div class="two">
        ${textField({ name: 'name', label: t('people.name'), value: value('name'), required: true, fault: fault('name') })}
        ${textField({ name: 'email', label: t('people.email'), type: 'email', value: value('email'), required: true, fault: fault('email') })}
      </div>
      ${radioField({ name: 'role', label: t('people.role'), value: value('role') ?? 'content', choices: roleChoices(t), fault: fault('role') })}
      ${passwordAgain(visit, passwordFault)}
      <p class="actions"><button class="primary">${t('people.add')}</button></p>
    </form>
  </section>`
}

export async function addPerson(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'add-person')
  const refused = await confirmPassword(visit, fields)
  if (refused) return peopleReply(visit, { ...refused, fields })
  const { data, failure } = await run(visit, accounts.create, {
    name: fields.get('name').trim(),
    email: fields.get('email').trim(),
    role: fields.get('role'),
  })
  if (failure) return peopleReply(visit, { status: formStatus[failure.code], fields, failure })
  return data.link === undefined ? goTo(visit, adminPaths.people) : linkReply(visit, data.item, data.link)
}
