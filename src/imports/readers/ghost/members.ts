// The members of a Ghost site: a table of its own that Ghost exports as CSV.

import { csvLines } from '../../../base/csv.ts'
import type { ImportLoss, ImportMember } from '../../stream.ts'

/** True for a table with the columns of members. */
export const hasMembers = (head: string): boolean => /^\ufeff?id,email,name,note,subscribed/.test(head)

/** The columns that have no place here. */
const lost = ['note', 'labels', 'tiers', 'products', 'complimentary_plan', 'stripe_customer_id'] as const

export function* readMembers(text: string): Generator<ImportMember | ImportLoss> {
  let names: readonly string[] | undefined
  for (const { cells } of csvLines(text)) {
    if (names === undefined) {
      names = cells
      continue
    }
    const value = (name: string) => cells[names?.indexOf(name) ?? -1]?.trim() ?? ''
    const email = value('email')
    const joined = Date.parse(value('created_at'))
    if (email === '' || value('deleted_at') !== '') {
      yield {
        kind: 'loss',
        group: 'member',
        name: email || 'a row',
        reason: email === '' ? 'it has no address' : 'it was deleted',
      }
      continue
    }
    for (const name of lost)
      if (!/^(?:false)?$/.test(value(name))) yield { kind: 'loss', group: 'member', name, reason: 'it has no place here' }
    yield {
      kind: 'member',
      id: value('id') || email,
      email,
      name: value('name') || undefined,
      joinedAt: joined > 0 ? { utc: joined } : undefined,
      subscribed: value('subscribed_to_emails') === 'true',
    }
  }
}
