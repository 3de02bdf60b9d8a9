// Lists of subscribers as comma-separated values: our own, and those of other systems. The first line names the columns.

import { csvLine, csvLines, plainCell } from '../../base/csv.ts'
import { invalid } from '../../base/failure.ts'
import { headerText } from '../../mail/mail-address.ts'
import { type AddedSubscriber, subscriberAddress } from '../../mail/newsletter/subscriber-store.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { SubscriberRow } from '../../store/core/schema.ts'

/** The columns that are read, with the names that they have in Postern, Ghost, Mailchimp, Substack and MailPoet. */
const columns = {
  email: ['email', 'e-mail', 'email address', 'mail', 'address'],
  name: ['name', 'full name', 'display name'],
  first: ['first name', 'first_name', 'firstname'],
  last: ['last name', 'last_name', 'lastname'],
  language: ['language', 'locale', 'lang'],
  state: ['state', 'status', 'subscribed', 'subscribed_to_emails', 'active_subscription'],
} as const satisfies Readonly<Record<string, readonly string[]>>
type Column = keyof typeof columns

/** The values of the column `state` of people who get no mails. */
const endedValues: ReadonlySet<string> = new Set(
  'false no 0 ended unsubscribed cleaned bounced inactive archived deleted spam non-subscribed pending unconfirmed'.split(' '),
)
/** Those who have not said that they want none. Nobody adds them, and they may still be added. */
const undecidedValues: ReadonlySet<string> = new Set(['pending', 'unconfirmed', 'non-subscribed'])

const maxRows = 20_000
const maxTold = 10

/** The people of a file. */
export interface SubscriberFile {
  readonly people: readonly AddedSubscriber[]
  /** Those who want no mails. They are kept, so that no later list adds them. */
  readonly ended: readonly AddedSubscriber[]
  /** The number of lines of people who never agreed. */
  readonly undecided: number
  /** Sentences about lines that name nobody, the first ten, and the number of all. */
  readonly faults: readonly string[]
  readonly faulty: number
}

/**
 * @param languageFor returns the language of the mails for the one in the file
 * @throws Failure `invalid` for a file without a column of addresses, or with too many lines
 */
export function readSubscribers(text: string, languageFor: (given: string) => string): SubscriberFile {
  const lines = csvLines(text.includes('\t') && !text.includes(',') ? text.replaceAll('\t', ',') : text)
  let at: ReadonlyMap<Column, number> | undefined
  const people = new Map<string, AddedSubscriber>()
  const ended = new Map<string, AddedSubscriber>()
  const faults: string[] = []
  let faulty = 0
  let undecided = 0
  for (const { line, cells } of lines) {
    if (!at) {
      at = columnsIn(cells)
      if (at.has('email')) continue
      // A list of addresses needs no line with names.
      at = new Map([['email', 0]])
    }
    const cell = (name: Column): string => cells[at?.get(name) ?? -1]?.trim() ?? ''
    const email = subscriberAddress(cell('email').replace(/^'/, ''))
    if (email === undefined) {
      faulty++
      if (faults.length < maxTold) faults.push(`Line ${line} has no address: ${JSON.stringify(cell('email').slice(0, 60))}`)
      continue
    }
    const name = headerText(cell('name') || `${cell('first')} ${cell('last')}`).replace(/^'/, '')
    const person = { email, name: name === '' ? null : name, language: languageFor(cell('language')) }
    const state = cell('state').toLowerCase()
    if (undecidedValues.has(state)) undecided++
    else (endedValues.has(state) ? ended : people).set(email, person)
    if (people.size + ended.size > maxRows) throw invalid('csv', `"csv" has more than ${maxRows} addresses.`, 'several calls')
  }
  if (people.size + ended.size + undecided === 0)
    throw invalid('csv', '"csv" has no address.', 'a first line with the column `email`, then a line for each person')
  return { people: [...people.values()], ended: [...ended.values()], undecided, faults, faulty }
}

function columnsIn(cells: readonly string[]): Map<Column, number> {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const found = new Map<Column, number>()
  for (const [column, called] of Object.entries(columns) as [Column, readonly string[]][]) {
    const at = names.findIndex((name) => called.includes(name))
    if (at >= 0) found.set(column, at)
  }
  return found
}

const written = ['email', 'name', 'language', 'state', 'source', 'consent', 'consent_at', 'created_at'] as const

/** The first line of an exported list. */
export const subscriberHeader = csvLine(written)

/** A line of it. No cell is taken for a formula. */
export const subscriberLine = (row: SubscriberRow): string =>
  csvLine([
    plainCell(row.email),
    plainCell(row.name ?? ''),
    row.language,
    row.state,
    row.source,
    plainCell(row.consent ?? ''),
    formatDateOrNull(row.consent_at) ?? '',
    formatDate(row.created_at),
  ])
