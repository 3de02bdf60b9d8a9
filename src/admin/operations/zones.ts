// The time zones of this machine, by their current names. Node lists some by the name from the start of Unicode's table, such as
// Europe/Kiev; machines know both names.

import { isTimeZone } from '../../settings/time-zone.ts'
import type { Choice } from '../parts/fields.ts'

/** The former names and the current ones. @see tzdata "backward", CLDR "timezone.xml" */
const presentNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the current name of a zone if this machine knows it. */
function presentName(name: string): string {
  const present = presentNames[name]
  return present !== undefined && isTimeZone(present) ? present : name
}

/** Lists all zones by part of the world, UTC first. @param current is a choice too, under the name with which it was saved */
export function zones(current = 'UTC'): ReadonlyMap<string, readonly Choice[]> {
  const names = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone').map(presentName).sort()])
  const groups = new Map<string, Choice[]>()
  for (const name of names) {
    const [area = '', ...rest] = name.split('/')
    const group = rest.length > 0 ? area : ''
    const choice = { value: name, label: (rest.length > 0 ? rest.join('/') : name).replaceAll('_', ' ') }
    groups.set(group, [...(groups.get(group) ?? []), choice])
  }
  return groups
}
