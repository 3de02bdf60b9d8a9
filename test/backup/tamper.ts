// A backup as somebody changes it who has its file: unpacked, changed, and put together again with a manifest that fits.

import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readDatabaseFacts } from '../../src/store/core/database-file.ts'
import { openArchive } from '../../src/backup/open-archive.ts'
import { unpack } from '../../src/backup/unpack.ts'
import { openConnection } from '../../src/store/sqlite/connection.ts'

/** What is done to a backup: statements on its database, and whatever else is done to its files. */
export interface Tampering {
  readonly sql?: readonly string[]
  readonly files?: (folder: string) => Promise<void>
}

/** Runs statements on a database file, without any check of ours. */
export async function runSql(database: string, statements: readonly string[]): Promise<void> {
  const connection = await openConnection({ path: database, role: 'writer' })
  try {
    await connection.rows('pragma foreign_keys = off')
    for (const statement of statements) await connection.rows(statement)
    await connection.rows('pragma journal_mode = delete')
  } finally {
    await connection.close()
  }
}

/** Writes a changed copy of a backup that isn't sealed. */
export async function tamper(from: string, to: string, { sql = [], files }: Tampering): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-tamper-'))
  try {
    await mkdir(join(folder, 'in'))
    const manifest = await unpack(from, join(folder, 'in'))
    const database = join(folder, 'in/data/postern.db')
    await runSql(database, sql)
    await files?.(join(folder, 'in'))
    const archive = await openArchive(to, undefined)
    const entries = await readdir(join(folder, 'in'), { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name)
      await archive.add(path, relative(join(folder, 'in'), path))
    }
    const facts = await readDatabaseFacts(database)
    await archive.finish({ ...manifest, ...facts, files: archive.files }, Date.parse(manifest.created_at))
    await archive.close()
    return to
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
