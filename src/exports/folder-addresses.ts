// The calls that make the redirects and the old addresses of a site equal to those of a folder.

import { oldAddressesName } from './old-address-files.ts'
import { knownAuthors } from './folder-people.ts'
import { callsOf, changedRows, type PassedOver, type PlannedCall, readCsvRows, type Sides } from './folder-sides.ts'

export function redirectCalls(sides: Sides): readonly PlannedCall[] {
  const path = 'redirects.csv'
  const rules = changedRows(sides, path).map(([from, to, status, note]) => ({
    from,
    to: to === '' ? null : to,
    ...(to !== '' && status && { status: Number(status) }),
    ...(note && { note }),
  }))
  return callsOf('SVC_Redirects.put-many', 'rules', rules, path)
}

export function oldAddressCalls(sides: Sides, passedOver: PassedOver[]): readonly PlannedCall[] {
  const path = oldAddressesName
  const authors = knownAuthors(sides)
  const changed = changedRows(sides, path).map(([site = '', kind, old, to = '']) => ({ site, kind, old, to }))
  const known = changed.filter(({ to }) => !to.startsWith('author/') || authors.has(to.slice('author/'.length)))
  for (const to of new Set(changed.filter((row) => !known.includes(row)).map((row) => row.to)))
    passedOver.push({ path, why: `there is no ${to} here` })
  return callsOf('SVC_Redirects.put-old', 'rows', known, path)
}

/** The calls that take away the old addresses that the folder does not have. */
export function goneAddressCalls({ folder, site }: Sides): readonly PlannedCall[] {
  const keyOf = (cells: readonly string[]) => JSON.stringify(cells.slice(0, 3))
  const kept = new Set(readCsvRows(folder, oldAddressesName).map(keyOf))
  const gone = readCsvRows(site, oldAddressesName).filter((cells) => !kept.has(keyOf(cells)))
  const rows = gone.map(([from, kind, old]) => ({ site: from, kind, old, to: null }))
  return callsOf('SVC_Redirects.put-old', 'rows', rows, oldAddressesName)
}
