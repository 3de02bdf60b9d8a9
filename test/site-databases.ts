// The databases under a whole site. Most of what a site does is the same on each: a usual run tries it on one, and a deep run on both.

import { isDeep } from './deep-run.ts'
import { usesPostgres } from './postgres.ts'

export const siteDatabases: readonly ('sqlite' | 'postgres')[] = isDeep
  ? ['sqlite', 'postgres']
  : [usesPostgres ? 'postgres' : 'sqlite']
