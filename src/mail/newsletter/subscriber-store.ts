// The rows of subscribers. An address gets mails once its owner has confirmed it, or once an admin has said how its owner agreed.
// One that ended is never revived by an import: only its owner can do that.

import { Failure, notFound } from '../../base/failure.ts'
import { readAddress } from '../mail-address.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { SubscriberRow } from '../../store/core/schema.ts'

/** The states of a subscription. */
export const subscriberStates = ['pending', 'active', 'ended'] as const
export type SubscriberState = (typeof subscriberStates)[number]

/** An address that nobody confirmed is deleted after this time. Its link is good for as long. */
export const confirmMs = 7 * 86_400_000

/** The form in which an address is stored and compared; undefined for a text that is none. */
export const subscriberAddress = (given: string): string | undefined => readAddress(given)?.toLowerCase()

export const findSubscriber = (db: Db, id: string): Promise<SubscriberRow | undefined> =>
  db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirst()

const findByEmail = (db: Db, email: string): Promise<SubscriberRow | undefined> =>
  db.selectFrom('subscriber').selectAll().where('email', '=', email).executeTakeFirst()

/** The wish of a visitor. */
export interface SignUp {
  readonly email: string
  /** BCP 47 */
  readonly language: string
  /** The sentence above the button. */
  readonly consent: string
}

/** Notes the wish of a visitor. It changes nothing for an address that gets mails already. @returns the row as it is now */
export async function noteSignUp(db: Db, wish: SignUp, now: number): Promise<SubscriberRow> {
  const { email, ...given } = wish
  const known = await findByEmail(db, email)
  if (known?.state === 'active') return known
  if (known) {
    const values = { ...given, source: 'form', consent_at: null, consent_from: null, updated_at: now }
    await db.updateTable('subscriber').set(values).where('id', '=', known.id).execute()
    return { ...known, ...values }
  }
  const row = newRow({ email, name: null, ...given, source: 'form', state: 'pending' }, now)
  await db.insertInto('subscriber').values(row).execute()
  return row
}

type Given = Pick<SubscriberRow, 'email' | 'name' | 'language' | 'consent' | 'source'> & { readonly state: SubscriberState }

const newRow = ({ state, ...given }: Given, now: number): SubscriberRow => ({
  id: newId(now),
  ...given,
  state,
  reason: state === 'ended' ? 'unsubscribed' : null,
  consent_at: state === 'active' ? now : null,
  consent_from: null,
  bounces: 0,
  created_at: now,
  updated_at: now,
})

/** Starts a subscription that its owner confirmed. @param from a keyed hash of the network address */
export async function confirmSubscriber(db: Db, id: string, from: string, now: number): Promise<SubscriberRow | undefined> {
  const row = await findSubscriber(db, id)
  if (!row || row.state === 'active') return row
  const values = { state: 'active', reason: null, consent_at: now, consent_from: from, bounces: 0, updated_at: now }
  await db.updateTable('subscriber').set(values).where('id', '=', id).execute()
  return { ...row, ...values }
}

/** Ends a subscription. @returns undefined if there is none */
export async function endSubscriber(
  db: Db,
  id: string,
  reason: 'unsubscribed' | 'bounced',
  now: number,
): Promise<SubscriberRow | undefined> {
  const row = await findSubscriber(db, id)
  if (!row || row.state === 'ended') return row
  const values = { state: 'ended', reason, updated_at: now }
  await db.updateTable('subscriber').set(values).where('id', '=', id).execute()
  return { ...row, ...values }
}

/** A person whom an admin adds. */
export type AddedSubscriber = Pick<SubscriberRow, 'email' | 'name' | 'language'>

/** The outcome of adding addresses. */
export interface Added {
  readonly added: readonly SubscriberRow[]
  /** Addresses that were there already, and those that ended and stay so. */
  readonly known: readonly string[]
  readonly ended: readonly string[]
}

/** The rows of one statement, within the limits of both engines. */
const atOnce = 500

/** The origin of added people. */
export interface AddedFrom {
  /** The words of the admin about how they agreed. */
  readonly consent: string
  readonly source: 'admin' | 'import'
  /** True for people who want no mails: they are kept, so that no later list adds them. */
  readonly ended?: boolean
}

/** Adds people who agreed elsewhere. No mail is sent. */
export async function addSubscribers(
  db: Db,
  people: readonly AddedSubscriber[],
  { consent, source, ended: areEnded = false }: AddedFrom,
  now: number,
): Promise<Added> {
  const added: SubscriberRow[] = []
  const known: string[] = []
  const ended: string[] = []
  for (let at = 0; at < people.length; at += atOnce) {
    const slice = people.slice(at, at + atOnce)
    const emails = slice.map(({ email }) => email)
    const there = await db.selectFrom('subscriber').select(['id', 'email', 'state']).where('email', 'in', emails).execute()
    const states = new Map(there.map((row) => [row.email, row]))
    const rows: SubscriberRow[] = []
    for (const person of slice) {
      const before = states.get(person.email)
      if (before?.state === 'ended') ended.push(person.email)
      else if (before) known.push(person.email)
      else {
        const row = newRow({ ...person, consent, source, state: areEnded ? 'ended' : 'active' }, now)
        states.set(person.email, row)
        rows.push(row)
      }
    }
    if (rows.length > 0) await db.insertInto('subscriber').values(rows).execute()
    added.push(...rows)
    if (!areEnded) await startPending(db, there, consent, now)
  }
  return { added, known, ended }
}

/** A subscriber of an export of this site, with the proof of the consent. */
export type RestoredSubscriber = Omit<SubscriberRow, 'id' | 'consent_from' | 'bounces' | 'updated_at'>

/** Adds subscribers as they were. An address that is here stays as it is. @returns how many were added */
export async function restoreSubscribers(db: Db, people: readonly RestoredSubscriber[], now: number): Promise<number> {
  let added = 0
  for (let at = 0; at < people.length; at += atOnce) {
    const given = new Map(people.slice(at, at + atOnce).map((one) => [one.email, one]))
    const there = await db
      .selectFrom('subscriber')
      .select('email')
      .where('email', 'in', [...given.keys()])
      .execute()
    for (const { email } of there) given.delete(email)
    const rows = [...given.values()].map((one) => ({ ...one, id: newId(now), consent_from: null, bounces: 0, updated_at: now }))
    if (rows.length > 0) await db.insertInto('subscriber').values(rows).execute()
    added += rows.length
  }
  return added
}

/** Starts what waited for a confirmation, because an admin says that the person agreed. */
async function startPending(db: Db, rows: readonly Pick<SubscriberRow, 'id' | 'state'>[], consent: string, now: number) {
  const ids = rows.filter(({ state }) => state === 'pending').map(({ id }) => id)
  if (ids.length === 0) return
  const values = { state: 'active', consent, consent_at: now, updated_at: now }
  await db.updateTable('subscriber').set(values).where('id', 'in', ids).execute()
}

/** Deletes subscribers for good. @throws Failure `not_found` */
export async function removeSubscribers(
  db: Db,
  chosen: { readonly ids?: readonly string[] | undefined; readonly email?: string | undefined },
): Promise<readonly string[]> {
  const query = db.selectFrom('subscriber').select('id')
  const rows = await (
    chosen.ids ? query.where('id', 'in', chosen.ids) : query.where('email', '=', subscriberAddress(chosen.email ?? '') ?? '')
  ).execute()
  const gone = rows.map(({ id }) => id)
  const missing = chosen.ids?.find((id) => !gone.includes(id))
  if (missing !== undefined) throw notFound('subscriber', missing, 'SVC_Subscribers.list lists them.')
  if (gone.length === 0) return gone
  await db.deleteFrom('subscriber').where('id', 'in', gone).execute()
  // The list of mails has addresses, too.
  await db.deleteFrom('mail').where('subscriber_id', 'in', gone).execute()
  return gone
}

/** The people who get a newsletter: those of one language, or all but those of some. */
export interface Audience {
  readonly language: string | null
  readonly excluded: readonly string[]
}

/** The active subscribers of an audience. */
export function audienceQuery(db: Db, { language, excluded }: Audience) {
  const active = db.selectFrom('subscriber').where('state', '=', 'active')
  if (language !== null) return active.where('language', '=', language)
  return excluded.length > 0 ? active.where('language', 'not in', excluded) : active
}

export async function countAudience(db: Db, audience: Audience): Promise<number> {
  const counting = audienceQuery(db, audience).select((eb) => eb.fn.countAll<number>().as('count'))
  return (await counting.executeTakeFirstOrThrow()).count
}

/** @throws Failure `refused` for an address that ended */
export function checkRevived({ ended }: Added): void {
  if (ended.length === 0) return
  throw new Failure('refused', `The subscription of ${ended[0] ?? ''} has ended, and only its owner can start it again.`, {
    field: 'email',
    rule: 'nobody is subscribed again by somebody else',
    hint: 'The form of the newsletter on the site does it.',
  })
}
