// The texts that form controls have for values.

import { formatInTimeZone } from 'date-fns-tz'

/** A text or a number as the value of a control; `''` for anything else. */
export const controlText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** A time as the value of a `datetime-local` control; `''` for no time. @param value ISO 8601 */
export const controlTime = (value: unknown, timeZone: string): string =>
  typeof value === 'string' ? formatInTimeZone(value, timeZone, "yyyy-MM-dd'T'HH:mm") : ''
