// The migrations, in the order in which they are run. A released one isn't touched again.

import type { Migration } from 'kysely'
import * as first from './0001-first.ts'

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
}
