// The migrations of this code. `list.ts` names each of them once.

import type { Migration } from 'kysely'
import * as list from './list.ts'

export const migrations: Readonly<Record<string, Migration>> = { ...list }
