// Keeps skills in the database and skill files the same. Commits are written to files. Edits of files are found here, and the actions layer
// makes them changes like any other. The database is authoritative; an invalid file is left alone.

import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { RowChange } from '../store/change.ts'
import type { Store } from '../store/database.ts'
import type { SkillRow } from '../store/schema.ts'
import { formatSkill, parseSkill, type Skill, slugOf } from './skill-file.ts'
import { type FoundFile, openSkillFolder, type SkillFolder } from './skill-folder.ts'

/** An edit of a file. `skill` is its new content, undefined when the file was deleted. */
export interface SkillEdit {
  readonly slug: string
  readonly skill: Skill | undefined
}

export interface SkillMirror {
  /** Writes the files of skills that a commit of this process changed. Errors go to the log. */
  applied(records: readonly RowChange[]): Promise<void>
  /**
   * The edits since the last look; undefined if that was less than a second ago.
   * @param always looks in any case: before a write, which would overwrite an edit
   */
  look(always: boolean): Promise<readonly SkillEdit[]> | undefined
  /** Says that an edit could not be applied, so that the next look finds it again. */
  putBack(edit: SkillEdit): void
}

const lookMs = 1000
/** A file that changed a moment ago may have been written by another process, for a row that changed again since. */
const quietMs = 300

/** Opens the mirror over `user-content/skills/` of a home. Nothing is read before the first look. */
export function openSkillMirror(store: Store, home: string, clock: Clock, log: Log): SkillMirror {
  const folder = openSkillFolder(join(home, 'user-content', 'skills'))
  const seen = new Map<string, string>()
  const parts = { store, folder, clock, log, seen }
  let queue: Promise<unknown> = Promise.resolve()
  /** Runs one at a time: otherwise a look could take a file that is being written for an edit. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = queue.then(run)
    queue = turn.catch(() => undefined)
    return turn
  }
  let lookedAt: number | undefined
  return {
    async applied(records) {
      const slugs = new Set(records.filter(({ kind }) => kind === 'skill').map(({ id }) => id))
      await inTurn(async () => {
        for (const slug of slugs) await writeOut(parts, slug)
      })
    },
    look(always) {
      const now = clock.now()
      if (!always && lookedAt !== undefined && Math.abs(now - lookedAt) < lookMs) return undefined
      const isFirst = lookedAt === undefined
      lookedAt = now
      return inTurn(() => findEdits(parts, isFirst))
    },
    putBack({ slug }) {
      seen.set(`${slug}.md`, '')
    },
  }
}

interface Parts {
  readonly store: Store
  readonly folder: SkillFolder
  readonly clock: Clock
  readonly log: Log
  /** Signatures by file name: of files that agree with their rows, are being applied, or are invalid. */
  readonly seen: Map<string, string>
}

/** Makes a file agree with its row. It reads the row again afterwards, since another process may have changed it meanwhile. */
async function writeOut(parts: Parts, slug: string): Promise<void> {
  const { store, folder, seen, log } = parts
  try {
    let row = await findRow(store, slug)
    for (let turn = 0; turn < 3; turn++) {
      if (!row) await folder.remove(slug)
      else if (!(await agrees(folder, row))) await folder.write(slug, await formatSkill(row))
      const before = row
      row = await findRow(store, slug)
      if (row?.revision === before?.revision) break
    }
    const file = await folder.find(slug)
    if (file) seen.set(file.name, file.signature)
    else seen.delete(`${slug}.md`)
  } catch (error) {
    log.error('skill file not written', { slug, error })
  }
}

/** True if a file agrees with a row already, whatever its formatting. */
async function agrees(folder: SkillFolder, row: SkillRow): Promise<boolean> {
  const file = await folder.find(row.slug)
  const bytes = file?.fault === undefined ? await folder.read(row.slug) : undefined
  const skill = bytes && (await parseSkill(row.slug, bytes))
  return skill !== undefined && !('fault' in skill) && isSame(skill, row)
}

const isSame = (skill: Skill, row: SkillRow): boolean => skill.when === row.when && skill.text === row.text

async function findEdits(parts: Parts, isFirst: boolean): Promise<readonly SkillEdit[]> {
  const { folder, seen, store, log, clock } = parts
  try {
    const files = await folder.list()
    const there = new Set(files.map(({ name }) => name))
    const isNew = files.filter(({ name, signature }) => seen.get(name) !== signature)
    const isGone = [...seen.keys()].filter((name) => !there.has(name))
    if (isNew.length === 0 && isGone.length === 0 && !isFirst) return []
    const rows = new Map((await store.read.selectFrom('skill').selectAll().execute()).map((row) => [row.slug, row]))
    const edits: SkillEdit[] = []
    for (const file of isNew) {
      const edit = await editOf(parts, file, rows)
      if (edit) edits.push(edit)
    }
    for (const name of isGone) {
      // The name may not have been a skill's.
      const slug = slugOf(name) ?? ''
      const row = rows.get(slug)
      // The row was written a moment ago, so its file may not be written yet.
      if (row && clock.now() - row.updated_at < quietMs) continue
      seen.delete(name)
      if (row) edits.push({ slug, skill: undefined })
    }
    // A missing file that was never seen is not a deletion: the home may come from a backup.
    if (isFirst) for (const slug of rows.keys()) if (!there.has(`${slug}.md`)) await writeOut(parts, slug)
    return edits
  } catch (error) {
    log.error('skill files not read', { error })
    return []
  }
}

async function editOf(parts: Parts, file: FoundFile, rows: ReadonlyMap<string, SkillRow>): Promise<SkillEdit | undefined> {
  const { folder, seen, log, clock } = parts
  const { name, slug, signature, changedAt } = file
  const bytes = slug === undefined ? undefined : await folder.read(slug)
  if (slug !== undefined && bytes === undefined) return undefined
  const skill = slug !== undefined && bytes ? await parseSkill(slug, bytes) : { fault: file.fault ?? '' }
  if ('fault' in skill) {
    seen.set(name, signature)
    log.warn('skill file is invalid', { file: name, fault: skill.fault })
    return undefined
  }
  const row = rows.get(skill.slug)
  if (row && isSame(skill, row)) {
    seen.set(name, signature)
    return undefined
  }
  if (Math.abs(clock.now() - changedAt) < quietMs) return undefined
  if (row && changedAt < row.updated_at) {
    // The row is newer: a process ended after its commit and before it wrote the file.
    await writeOut(parts, skill.slug)
    return undefined
  }
  seen.set(name, signature)
  return { slug: skill.slug, skill }
}

const findRow = (store: Store, slug: string): Promise<SkillRow | undefined> =>
  store.read.selectFrom('skill').selectAll().where('slug', '=', slug).executeTakeFirst()
