// The filters of the activity page, in its address and as a form.

import { callName } from '../../actions/call/action.ts'
import type { InputOf } from '../../actions/call/call-action.ts'
import { accounts } from '../../actions/accounts/index.ts'
import type { activity } from '../../actions/activity/index.ts'
import { apps } from '../../actions/apps/index.ts'
import { tokens } from '../../actions/tokens/index.ts'
import { html, type Html, raw } from '../../doors/shared/html.ts'
import { doors } from '../../identity/caller.ts'
import { titleWord } from '../action-words.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { type Choice, selectField, textField } from '../parts/fields.ts'
import type { ListAddress } from '../parts/list-address.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { doorWords } from './record-parts.ts'

/** The parameters of the address, in addition to `search`. */
export const filterNames = ['by', 'token', 'door', 'call', 'object', 'from', 'to'] as const

/** Returns the input for the list from the address. */
export function askedOf(address: ListAddress): InputOf<typeof activity.list.input> {
  const [search, cursor, from, to] = ['search', 'cursor', 'from', 'to'].map((name) => address.get(name))
  const equal = (['by', 'token', 'door', 'call', 'object'] as const).map((name) => [name, address.get(name)] as const)
  const at = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lte: to }) }
  const where = {
    ...Object.fromEntries(equal.filter(([, value]) => value !== undefined)),
    ...(Object.keys(at).length > 0 ? { at } : {}),
  }
  return { where, limit: 50, ...(search && { search }), ...(cursor && { cursor }) }
}

/** The form with the filters. It is unfolded if a filter is in use. */
export async function filterForm(visit: SignedIn, address: ListAddress): Promise<Html> {
  const { t } = visit
  const value = (name: string) => address.get(name)
  const choose = (name: string, label: string, groups: ReadonlyMap<string, readonly Choice[]>) =>
    selectField({
      name,
      label,
      value: value(name),
      groups: new Map([['', [{ value: '', label: t('activity.filter_all') }]], ...groups]),
    })
  const [people, tokens] = await Promise.all([peopleOf(visit), tokensOf(visit)])
  const isOpen = filterNames.some((name) => value(name) !== undefined)
  const doorChoices = doors.map((door) => ({ value: door, label: t(doorWords[door]) }))
  return html`<form class="filters" role="search" action="${linkTo(visit.request, adminPaths.activity)}">
    <div class="search-field">
      <label class="unseen" for="list-search">${t('activity.search')}</label>
      <input
        id="list-search"
        type="search"
        name="search"
        value="${value('search') ?? ''}"
        placeholder="${t('activity.search')}"
        maxlength="200"
        autocomplete="off"
      />
      <button>${t('shell.search')}</button>
    </div>
    <details ${isOpen ? raw('open') : ''}>
      <summary>${t('activity.filters')}</summary>
      <div class="field-grid">
        ${people ? choose('by', t('activity.person'), new Map([[t('shell.people'), people]])) : textField({ name: 'by', label: t('activity.person'), value: value('by') })}
        ${tokens.size > 0 ? choose('token', t('activity.token_or_app'), tokens) : textField({ name: 'token', label: t('activity.token_or_app'), value: value('token') })}
        ${choose('door', t('activity.through'), new Map([[t('activity.doors'), doorChoices]]))}
        ${choose('call', t('activity.action'), actionsOf(visit))}
        ${textField({ name: 'from', label: t('activity.from'), type: 'date', value: value('from') })}
        ${textField({ name: 'to', label: t('activity.until'), type: 'date', value: value('to') })}
        ${textField({ name: 'object', label: t('activity.object'), value: value('object'), placeholder: '/about' })}
      </div>
      <p class="actions">
        <button>${t('activity.apply')}</button>
        ${isOpen && html`<a class="button" href="${linkTo(visit.request, adminPaths.activity)}">${t('activity.show_all')}</a>`}
      </p>
    </details>
  </form>`
}

async function peopleOf(visit: SignedIn): Promise<readonly Choice[] | undefined> {
  if (!mayRun(visit, accounts.list)) return undefined
  const { items } = await get(visit, accounts.list, { limit: 100 })
  return items.map(({ id, name, email }) => ({ value: id, label: name === email ? email : `${name} (${email})` }))
}

async function tokensOf(visit: SignedIn): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const input = { limit: 100 }
  const [ofApps, ofTokens] = await Promise.all([
    mayRun(visit, apps.list) ? get(visit, apps.list, input) : undefined,
    mayRun(visit, tokens.list) ? get(visit, tokens.list, input) : undefined,
  ])
  const choicesOf = (list: { readonly items: readonly { readonly id: string; readonly name: string }[] } | undefined) =>
    (list?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const groups = [[visit.t('activity.apps'), choicesOf(ofApps)] as const, [visit.t('shell.tokens'), choicesOf(ofTokens)] as const]
  return new Map(groups.filter(([, choices]) => choices.length > 0))
}

/** Every action that leaves a record, by its title. */
function actionsOf({ site, caller, t }: SignedIn): ReadonlyMap<string, readonly Choice[]> {
  const choices = site.registry
    .visibleTo(caller)
    .filter(({ effect }) => effect !== 'read')
    .map((action) => ({ value: callName(action), label: titleWord(t, action) }))
  return new Map([[t('activity.action'), choices.sort((a, b) => a.label.localeCompare(b.label, t.language))]])
}
