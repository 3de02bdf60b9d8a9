// One menu: its tree with buttons that move items, the labels of each item, and a search for entries and terms to add. With script,
// people can also drag items, or move them with arrow keys.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { menus } from '../../actions/menus/index.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { eachItem, type StoredMenuItem } from '../../store/change/menu-references.ts'
import { sentenceOf } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { controlsOf, declareForm, declaredForm, type FormRows } from '../parts/declared-form.ts'
import { checkField, lineField } from '../parts/fields.ts'
import { icon } from '../parts/icons.ts'
import { panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, linkButton, pageHead, searchField } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { menuScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { labelOf, locationChoices, locationLabels } from './menu-locations.ts'
import { findTargets, namesOf, pagesNotIn } from './menu-targets.ts'
import { type Move, moves, movesOf } from './move-item.ts'

const whyWords: Readonly<Record<string, MessageKey>> = {
  draft: 'structure.why_draft',
  scheduled: 'structure.why_scheduled',
  private: 'structure.why_private',
  trash: 'structure.why_trash',
  expired: 'structure.why_expired',
  deleted: 'structure.why_deleted',
}

const moveWords: Readonly<Record<Move, MessageKey>> = {
  up: 'structure.move_up',
  down: 'structure.move_down',
  in: 'structure.move_in',
  out: 'structure.move_out',
}
const moveIcons = { up: 'up', down: 'down', in: 'right', out: 'left' } as const

/** The form with the name and the location of a menu. */
export const namesForm = declareForm(menus.update, { path: adminPaths.menu, does: 'rename', button: 'structure.save' }, [
  [
    { name: 'name', label: 'structure.name', required: true },
    { name: 'slug', label: 'structure.short_name', required: true },
  ],
  { name: 'location', label: 'structure.location', control: 'select', help: 'structure.location_help_empty' },
])

/** The fields of the form that adds an address. */
const addressRows: FormRows = [
  [
    { name: 'label', at: 'item.label', label: 'structure.label', required: true },
    { name: 'url', at: 'item.url', label: 'structure.address', placeholder: 'https://example.org/', required: true },
  ],
]

interface Shown {
  readonly id: string
  readonly revision: number
  readonly items: readonly StoredMenuItem[]
  readonly names: ReadonlyMap<string, string>
  readonly hidden: ReadonlyMap<string, string>
  readonly mayWrite: boolean
  /** The form of an item that was refused. */
  readonly filled: Fields | undefined
  /** Returns the fault of one of its fields. */
  readonly faultOf: (name: string) => string | undefined
}

/** GET; `id` names the menu, `search` looks for entries and terms to add. */
export const showMenu = (visit: SignedIn): Promise<Reply> => menuReply(visit, visit.request.query.get('id') ?? '')

export async function menuReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { failure, fields } = refused
  const { t } = visit
  const { item, shown, hidden = [] } = await get(visit, menus.get, { id })
  const items = (item.items ?? []) as readonly StoredMenuItem[]
  const menu: Shown = {
    id: item.id,
    revision: item.revision,
    items,
    names: await namesOf(visit, items, shown, new Set(hidden.map((one) => one.id))),
    hidden: new Map(hidden.map((one) => [one.id, one.why])),
    mayWrite: mayRun(visit, menus.update),
    filled: fields?.get('do') === 'save' ? fields : undefined,
    faultOf: (name) => (failure?.detail.field?.endsWith(`.${name}`) ? sentenceOf(failure, t) : undefined),
  }
  const body = html`${pageHead(
    item.name,
    item.location === null
      ? t('structure.no_location')
      : t('structure.at_location', { location: labelOf(await locationLabels(visit), item.location) }),
    linkButton(visit, adminPaths.menus, 'structure.all_menus'),
  )}
  ${
    items.length === 0
      ? emptyState(t('structure.no_item'), t('structure.no_item_help'))
      : html`<div class="panel" id="menu-tree">${levelOf(visit, menu, items)}</div>`
  }
  ${menu.mayWrite && html`${placeForm(visit, menu)} ${await adding(visit, menu, refused)} ${await settings(visit, item, refused)}`}`
  return framedReply(visit, { title: item.name, body, script: menuScript }, refused)
}

const levelOf = (visit: SignedIn, menu: Shown, items: readonly StoredMenuItem[]): Html =>
  html`<ul class="tree">
    ${items.map((item) => itemOf(visit, menu, item))}
  </ul>`

function itemOf(visit: SignedIn, menu: Shown, item: StoredMenuItem): Html {
  const why = menu.hidden.get(item.id)
  const name = menu.names.get(item.id) ?? ''
  return html`<li id="item-${item.id}" data-item="${item.id}" tabindex="-1">
    <div class="row${why === undefined ? '' : ' hidden-item'}">
      <span class="what"
        ><strong>${name}</strong> ${item.url !== undefined && html`<small>${item.url}</small>`}
        ${why !== undefined && html`<span class="badge warn">${visit.t(whyWords[why] ?? 'structure.hidden')}</span>`}</span
      >
      ${menu.mayWrite && buttons(visit, menu, item, name)}
    </div>
    ${menu.mayWrite && wordsForm(visit, menu, item, name)} ${item.items && levelOf(visit, menu, item.items)}
  </li>`
}

function buttons(visit: SignedIn, menu: Shown, { id }: StoredMenuItem, name: string): Html {
  const can = movesOf(menu.items, id)
  return postForm(visit, {
    path: adminPaths.menu,
    className: 'moves',
    hidden: { id: menu.id, revision: menu.revision, item: id },
    body: moves.map(
      (move) =>
        html`<button
          class="icon-button"
          name="do"
          value="${move}"
          aria-label="${visit.t(moveWords[move], { name })}"
          ${can.includes(move) ? '' : raw('disabled')}
        >
          ${icon(moveIcons[move])}
        </button>`,
    ),
  })
}

function wordsForm(visit: SignedIn, menu: Shown, item: StoredMenuItem, name: string): Html {
  const { t } = visit
  const below = [...eachItem(item.items ?? [])].length
  const hidden = { id: menu.id, revision: menu.revision, item: item.id }
  // Several items on one page have the same fields, so their names can't be ids.
  const filled = menu.filled?.get('item') === item.id ? menu.filled : undefined
  const line = (field: string, label: string, stored: string, help?: string) =>
    lineField({ name: field, label, value: filled?.get(field) ?? stored, help, fault: filled && menu.faultOf(field) }, 2000)
  return html`<details ${filled ? raw('open') : ''}>
    <summary>${t.rich('structure.change_asks', { name: html`<span class="unseen"> ${name}</span>` })}</summary>
    ${postForm(visit, {
      path: adminPaths.menu,
      hidden: { ...hidden, do: 'save' },
      body: html`${line('label', t('structure.label'), item.label ?? '', item.url === undefined ? t('structure.item_label_help') : undefined)}
        ${item.url !== undefined && line('url', t('structure.address'), item.url)}
        ${checkField({ name: 'new_tab', label: t('structure.new_tab'), value: item.new_tab ? 'yes' : undefined })}
        <p class="actions"><button>${t('structure.save_item')}</button></p>`,
    })}
    ${postForm(visit, {
      path: adminPaths.menu,
      hidden: { ...hidden, do: 'remove' },
      body: html`<button class="danger">
        ${below > 0 ? t('structure.remove_items', { name, count: below }) : t('structure.remove_item', { name })}
      </button>`,
    })}
  </details>`
}

/** The form that a drag fills in and sends. */
const placeForm = (visit: SignedIn, menu: Shown): Html =>
  postForm(visit, {
    path: adminPaths.menu,
    id: 'place',
    hidden: { do: 'place', id: menu.id, revision: menu.revision, item: '', where: '', target: '' },
    body: undefined,
  })

async function adding(visit: SignedIn, menu: Shown, refused: Refused): Promise<Html> {
  const { t } = visit
  const words = visit.request.query.get('search')?.trim().slice(0, 200) ?? ''
  const found = words === '' ? await pagesNotIn(visit, menu.items) : await findTargets(visit, words)
  return html`<section class="panel" id="add" aria-labelledby="adding">
    <h2 id="adding">${t('structure.add_item')}</h2>
    ${searchField(t, `${linkTo(visit.request, adminPaths.menu)}#add`, words, t('structure.search_targets'), { id: menu.id })}
    ${words !== '' && found.length === 0 && html`<p class="quiet">${t('structure.nothing_found_for', { words })}</p>`}
    ${
      found.length > 0 &&
      html`${words === '' && html`<h3>${t('structure.not_in_menu')}</h3>`}
        <ul class="lines">
          ${found.map(
            ({ kind, ref, name, note }) =>
              html`<li>
                <span>${name} <small>${note}</small></span>
                ${postForm(visit, {
                  path: adminPaths.menu,
                  hidden: { do: 'add', id: menu.id, [kind]: ref },
                  body: html`<button>${t('structure.add')}<span class="unseen"> ${name}</span></button>`,
                })}
              </li>`,
          )}
        </ul>`
    }
    <details ${refused.fields?.get('do') === 'add' ? raw('open') : ''}>
      <summary>${t('structure.add_address')}</summary>
      ${postForm(visit, {
        path: adminPaths.menu,
        hidden: { do: 'add', id: menu.id },
        body: html`${controlsOf(t, { does: 'add', rows: addressRows }, { refused })}
          <p class="actions"><button>${t('structure.add_this_address')}</button></p>`,
      })}
    </details>
  </section>`
}

async function settings(visit: SignedIn, menu: AnswerOf<typeof menus.get.output>['item'], refused: Refused): Promise<HtmlValue> {
  const { t } = visit
  const removal =
    mayRun(visit, menus.delete) &&
    removalForm(visit, {
      verb: t('structure.delete'),
      id: menu.id,
      name: menu.name,
      consequence: t('structure.delete_menu_help', { count: menu.size }),
      path: adminPaths.menus,
      does: 'delete',
    })
  const choices = { location: await locationChoices(visit, menu.location) }
  const form = declaredForm(visit, namesForm, { item: menu, refused, choices })
  return panel('settings', t('structure.name_and_location'), html`${form} ${removal}`)
}
