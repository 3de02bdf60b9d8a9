// The database into which a restore writes a backup: the file in the home, which is swapped with the other files, or a PostgreSQL
// schema, which is filled in one transaction. The commit of that transaction then decides about the files.

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../base/missing.ts'
import { filesOf } from '../store/core/database-file.ts'
import type { DatabasePlace } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import {
  copySchema,
  hasMark,
  hasSite,
  loadSite,
  openSchema,
  prepareTarget,
  readFileTables,
  restoreMark,
  type SchemaSession,
} from '../store/core/site-copy.ts'
import { databasePath } from './manifest.ts'
import { finishSwap, newHome, prepareSwap, standingCopy, swap } from './swap.ts'

/** The database of a site that is being replaced. No other process has it open. */
export interface RestoreTarget {
  /** The path of a database file with the current site; undefined if there is none. */
  findStanding(): Promise<string | undefined>
  /** Replaces the site by the one in the work folder. */
  bringIn(): Promise<void>
  /** Ends a swap that failed: it is completed if the new site is in place, and undone otherwise. */
  finish(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database that a restore replaces. @throws Failure `refused` while a process has the site open; `unavailable` if the
 * database can't be reached
 */
export async function openTarget(home: string, place: DatabasePlace): Promise<RestoreTarget> {
  if ('path' in place) return fileTarget(home, place.path)
  const schema = await openSchema(place.postgres, 'exclusive')
  try {
    await prepareTarget(schema)
    return schemaTarget(home, schema)
  } catch (error) {
    await schema.close()
    throw error
  }
}

function fileTarget(home: string, path: string): RestoreTarget {
  return {
    // A first start creates an empty file before it writes the database.
    findStanding: async () => (((await unlessMissing(stat(path)))?.size ?? 0) > 0 ? path : undefined),
    bringIn: () => swap(home),
    finish: () => finishSwap(home),
    close: async () => undefined,
  }
}

function schemaTarget(home: string, schema: SchemaSession): RestoreTarget {
  const isCommitted = async (id: string) => {
    if (schema.session.isOpen) return hasMark(schema, restoreMark(id))
    // The connection was lost, perhaps during the commit.
    const again = await openSchema(schema.address, 'exclusive')
    try {
      return await hasMark(again, restoreMark(id))
    } finally {
      await again.close()
    }
  }
  const finish = () => finishSwap(home, { isCommitted })
  return {
    async findStanding() {
      if (!(await hasSite(schema))) return undefined
      const path = standingCopy(home)
      await copySchema(schema, path)
      return path
    },
    async bringIn() {
      const id = newId(Date.now())
      const file = join(newHome(home), databasePath)
      const tables = await readFileTables(file)
      const beforeCommit = async () => {
        for (const path of [...filesOf(file), ...filesOf(standingCopy(home))]) await rm(path, { force: true })
        await prepareSwap(home, id)
      }
      try {
        await loadSite(schema, tables, { replace: true, marks: { set: restoreMark(id) }, beforeCommit })
      } finally {
        await tables.close()
      }
      await finish()
    },
    finish,
    close: () => schema.close(),
  }
}
