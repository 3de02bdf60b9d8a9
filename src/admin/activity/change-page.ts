// The page on which a person leaves out or changes parts of a proposal. Its form becomes a new proposal of that person, which is
// tried and shown before anything is done. The first one is closed.

import { type BatchCall, nameOf } from '../../actions/api/batch-plan.ts'
import { proposals } from '../../actions/proposals/index.ts'
import { Failure } from '../../base/failure.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField, type Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { fieldName } from '../parts/field-names.ts'
import { areaField, selectField } from '../parts/fields.ts'
import { sinceShown } from '../parts/post-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { getShown, type ShownProposal } from './approval-changes.ts'
import { type CallPart, type ChosenParts, chosenCalls, partsOf, textOfPart } from './proposal-parts.ts'
import { proposalWords, stepWords } from './proposal-words.ts'

/** The path of the page. */
export const changePath = (id: string): string => `${adminPaths.approvals}?id=${id}&change=yes`

/** The most bytes of the form, which may have several whole texts. */
export const maxChangeBytes = 4 * 1024 * 1024

/** @param at the name of the field that was refused */
export async function changeReply(visit: SignedIn, id: string, refused: Refused = {}, at?: string): Promise<Reply> {
  const { t, request } = visit
  const item = await getShown(visit, id)
  const calls = item.calls as readonly BatchCall[]
  const back = linkButton(visit, `${adminPaths.approvals}?id=${id}`, 'activity.back_to_proposal')
  const title = t('activity.change_title')
  const body = html`${pageHead(title, proposalWords(visit, item.title, calls), back)}
    <p>${t('activity.change_lead')}</p>
    <form method="post" action="${linkTo(request, adminPaths.approvals)}">
      ${csrfField(visit, 'approvals')}
      <input type="hidden" name="id" value="${id}" />
      <input type="hidden" name="revision" value="${item.revision}" />
      <input type="hidden" name="decide" value="change" />
      ${calls.map((call, place) => callPanel(visit, item, call, place, { ...refused, at }))}
      <p class="actions"><button class="primary">${t('activity.try_and_show')}</button></p>
    </form>`
  return framedReply(visit, { title, body }, refused)
}

/** The state of a refused form. `at` is the name of the refused field. */
interface RefusedPart extends Refused {
  readonly at?: string | undefined
}

function callPanel(visit: SignedIn, { steps }: ShownProposal, call: BatchCall, place: number, refused: RefusedPart): Html {
  const step = steps[place] ?? { action: nameOf(call), about: null, changes: 0 }
  const parts = partsOf(visit.site.registry, call)
  return html`<fieldset class="panel proposed-step">
    <legend>${keep(String(place), html`${place + 1}. ${stepWords(visit, step)}`, refused.fields)}</legend>
    ${parts.map((part) => partField(visit, part, place, refused))}
  </fieldset>`
}

const keepName = (key: string): string => `keep.${key}`

/** The box that keeps a call or a part. */
const keep = (key: string, label: HtmlValue, fields: Fields | undefined): Html =>
  html`<label class="choice"
    ><input type="checkbox" name="${keepName(key)}" value="yes" ${!fields || fields.has(keepName(key)) ? raw('checked') : ''} />
    <span>${label}</span></label
  >`

const keyOf = (place: number, path: readonly string[]): string => [place, ...path].join('.')

function partField(visit: SignedIn, part: CallPart, place: number, { fields, failure, at = '' }: RefusedPart): Html {
  const { t } = visit
  const isAt = [part.path, part.whole].some((path) => `${at}.`.startsWith(`${keyOf(place, path)}.`))
  const fault = failure && isAt ? sentenceOf(failure, t) : undefined
  const label = nameOfPart(visit, part)
  const name = keyOf(place, part.path)
  const value = fields?.get(name) ?? textOfPart(part)
  const shared = { name, id: name.replaceAll('.', '-'), label: t('activity.new_value', { name: label }), value, fault }
  const field = part.choices
    ? selectField({ ...shared, choices: part.choices.map((one) => ({ value: one, label: one })) })
    : areaField({ ...shared, rows: rowsOf(value), code: typeof part.value !== 'string' })
  return html`<div class="proposed-part">
    ${part.droppable ? keep(keyOf(place, part.whole), html`<strong>${label}</strong>`, fields) : html`<p><strong>${label}</strong></p>`}
    ${part.instead !== undefined && html`<p class="quiet">${t('activity.instead_of')} <del>${part.instead}</del></p>`} ${field}
  </div>`
}

const rowsOf = (text: string): number => Math.min(20, Math.max(1, text.split('\n').length, Math.ceil(text.length / 90)))

/** The name of a part in words: `Title`, `Change 2 of the text`. */
function nameOfPart({ t, site }: SignedIn, { path: [first = '', member = ''] }: CallPart): string {
  if (first === 'edits') return t('activity.edit_place', { place: Number(member) + 1 })
  return fieldName(t, site.types.current.all, first === 'set' || member === '' ? member || first : `${first}.${member}`)
}

const chosenIn = (fields: Fields): ChosenParts => {
  const isKept = (key: string) => fields.has(keepName(key))
  return {
    keepsCall: (place) => isKept(String(place)),
    keepsPart: (place, { whole }) => isKept(keyOf(place, whole)),
    text: (place, { path }) => (fields.has(keyOf(place, path)) ? fields.get(keyOf(place, path)) : undefined),
  }
}

/** Makes the new proposal from the form, and shows it. */
export async function takeChange(visit: SignedIn, fields: Fields): Promise<Reply> {
  const id = fields.get('id')
  const given = (await getShown(visit, id)).calls as readonly BatchCall[]
  let places: readonly number[] = [...given.keys()]
  try {
    const chosen = chosenCalls(visit, given, chosenIn(fields))
    places = chosen.places
    if (JSON.stringify(chosen.calls) === JSON.stringify(given)) return goTo(visit, `${adminPaths.approvals}?id=${id}`)
    return (await makeRevised(visit, fields, chosen.calls)) ?? changeReply(visit, id, { fields, failure: nothingLeft(visit) })
  } catch (error) {
    if (error instanceof Failure) return changeReply(visit, id, { fields, failure: error }, keyOfFault(error, places))
    throw error
  }
}

/** The name of the field that a failure is about. @param places of the calls on the page, by their new places */
function keyOfFault({ detail: { field = '' } }: Failure, places: readonly number[]): string {
  const [, place = '0', name = field] = /^calls\.(\d+)(?:\.arguments\.(.*))?$/.exec(field) ?? []
  return `${places[Number(place)] ?? place}.${name}`
}

const nothingLeft = ({ t }: SignedIn): Failure => new Failure('invalid', t('activity.choose_calls'))

/**
 * Makes a proposal of these calls, and shows it.
 * @returns undefined without calls
 * @throws Failure
 */
export async function makeRevised(visit: SignedIn, fields: Fields, calls: readonly BatchCall[]): Promise<Reply | undefined> {
  if (calls.length === 0) return undefined
  const note = fields.get('note').trim()
  const input = { id: fields.get('id'), calls: [...calls], ...(note !== '' && { note }) }
  const { data, failure } = await run(visit, proposals.revise, input, sinceShown(fields))
  if (failure) throw failure
  return goDone(visit, `${adminPaths.approvals}?id=${data.item.id}`, 'activity.done_revised')
}

/** Returns the calls at these places. @throws Failure as `chosenCalls` */
export const callsAt = (visit: SignedIn, calls: readonly BatchCall[], places: readonly number[]): readonly BatchCall[] =>
  chosenCalls(visit, calls, {
    keepsCall: (place) => places.includes(place),
    keepsPart: () => true,
    text: () => undefined,
  }).calls
