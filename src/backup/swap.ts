// Replaces the current site by an unpacked one. After a kill at any moment, the home gets either the complete old site or the
// complete new one.
//
// The work folder `.restore/` is in the home, and so on the same file system. `new/` contains the unpacked site, `old/` receives
// the files of the current site, and the journal `swap.json` lists the places that change. Before `swap.json` exists, nothing else
// in the home has changed: a process that finds `.restore/` then deletes it, and the old site stays. Once `swap.json` exists, a
// process that finds it completes the swap. Each place takes two renames: from the home to `old/`, and from `new/` to the home.
// Which renames are done can be seen from the files themselves, so continuing a swap is the same as starting it again.
// `enter-home.ts` ensures that no other process has the home open.

import { access, lstat, mkdir, readFile, realpath, rename, rm, stat, symlink, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile, syncToDisk } from '../base/durable.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { filesOf } from '../store/core/database-file.ts'
import { databasePath, keyPath, savedFolders } from './manifest.ts'

const workName = '.restore'
const journalName = 'swap.json'

/** The folder in which a restore prepares the new site. */
const workFolder = (home: string): string => join(home, workName)
/** The folder of the unpacked site, with the same layout as a home. */
export const newHome = (home: string): string => join(home, workName, 'new')

const oldHome = (home: string): string => join(home, workName, 'old')

/** The place for the copy of a standing database that is not a file of the home. */
export const standingCopy = (home: string): string => join(home, workName, 'standing.db')

/** A function that is called before each change on disk. Tests throw from it to simulate a kill. */
export type SwapStep = () => void

const noStep: SwapStep = () => undefined

/** True if a restore in this home is unfinished. */
export async function isSwapPending(home: string): Promise<boolean> {
  return (await unlessMissing(access(workFolder(home)).then(() => true))) ?? false
}

/** Creates an empty work folder, and deletes the one of an earlier restore. @returns the folder for the unpacked site */
export async function makeWorkFolder(home: string): Promise<string> {
  await dropWorkFolder(home)
  await mkdir(workFolder(home), { mode: 0o700 })
  await mkdir(newHome(home), { mode: 0o700 })
  if (await isOwnVolume(home)) await useVolume(home)
  return newHome(home)
}

/** The folder of files that several machines may share. It may lie on another disk than the home. */
const sharedName = 'user-content'

async function isOwnVolume(home: string): Promise<boolean> {
  const shared = await unlessMissing(stat(join(home, sharedName)))
  return shared !== undefined && shared.dev !== (await stat(home)).dev
}

/** Keeps the new and the old `user-content/` on the volume of the current one, because a rename doesn't cross disks. */
async function useVolume(home: string): Promise<void> {
  const volume = join(home, sharedName, workName)
  await mkdir(volume, { mode: 0o700 })
  await mkdir(oldHome(home), { mode: 0o700 })
  for (const folder of [newHome(home), oldHome(home)]) {
    const there = join(volume, basename(folder))
    await mkdir(there, { mode: 0o755 })
    await symlink(await realpath(there), join(folder, sharedName))
  }
}

/** Deletes the work folder, its part on the volume first: while the work folder exists, the restore counts as unfinished. */
async function dropWorkFolder(home: string): Promise<void> {
  await rm(join(home, sharedName, workName), { recursive: true, force: true })
  await rm(workFolder(home), { recursive: true, force: true })
}

/**
 * A file or folder of the home that a swap replaces. If the new site has no such file, `arrives` is false and the old file is
 * removed.
 */
interface Place {
  readonly path: string
  readonly arrives: boolean
}

/** The contents of the journal. If the database is not a file of the home, its commit decides whether the places change. */
interface Journal {
  readonly places: readonly Place[]
  /** The id of the restore in the database. */
  readonly restore?: string
}

export interface SwapOptions {
  readonly step?: SwapStep
  /** True if the database has committed the restore with this id. */
  readonly isCommitted?: (id: string) => Promise<boolean>
}

/**
 * Replaces the current site by the one in `new/`, which must be complete and flushed to disk.
 * @throws Failure `refused` if a place can't be renamed, for example because it is on another disk; then nothing has changed
 */
export async function swap(home: string, options: SwapOptions = {}): Promise<void> {
  const { step = noStep } = options
  step()
  await writeJournal(home, { places: await placesOf(home, databaseFiles) })
  await finishSwap(home, options)
}

/**
 * Prepares the swap of a home whose database is elsewhere. Until the database commits the restore with this id, the old site stays;
 * after that, `finishSwap` completes the swap.
 * @throws Failure as `swap` does
 */
export async function prepareSwap(home: string, restore: string): Promise<void> {
  await writeJournal(home, { places: await placesOf(home, []), restore })
}

async function writeJournal(home: string, journal: Journal): Promise<void> {
  for (const { path } of journal.places) await checkMovable(home, path)
  await replaceFile(join(workFolder(home), journalName), JSON.stringify(journal), { mode: 0o600 })
}

/**
 * Ends an unfinished restore. Completes the swap if its journal exists and the database has committed it; otherwise the old site
 * stays.
 */
export async function finishSwap(home: string, { step = noStep, isCommitted }: SwapOptions = {}): Promise<void> {
  const work = workFolder(home)
  const text = await unlessMissing(readFile(join(work, journalName), 'utf8'))
  const journal = text === undefined ? undefined : readJournal(text)
  if (journal && (await isDecided(home, journal, isCommitted))) {
    const { places } = journal
    for (const place of places) await movePlace(home, place, step)
    for (const folder of new Set(places.map(({ path }) => dirname(join(home, path))))) await syncToDisk(folder)
    step()
    // Without the journal, the work folder can only be deleted. A later process does so, too.
    await unlink(join(work, journalName))
    await syncToDisk(work)
  }
  step()
  await dropWorkFolder(home)
}

/**
 * The places to swap, with the database last. They include SQLite's write-ahead log, which SQLite would otherwise apply to the
 * new database.
 */
async function placesOf(home: string, database: readonly string[]): Promise<readonly Place[]> {
  const paths = [...database.slice(1), ...savedFolders, keyPath, ...database.slice(0, 1)]
  return Promise.all(paths.map(async (path) => ({ path, arrives: await isThere(join(newHome(home), path)) })))
}

const databaseFiles = filesOf(databasePath)

/** Reads a journal. Earlier releases wrote only the list of places. */
function readJournal(text: string): Journal {
  const value = JSON.parse(text) as Journal | readonly Place[]
  return 'places' in value ? value : { places: value }
}

async function isDecided(home: string, { restore }: Journal, isCommitted: SwapOptions['isCommitted']): Promise<boolean> {
  if (restore === undefined) return true
  if (isCommitted) return isCommitted(restore)
  throw new Failure('refused', `A restore of ${home} into PostgreSQL was interrupted: set POSTERN_DATABASE_URL as it was then.`, {
    rule: 'the database decides whether an interrupted restore is completed',
  })
}

/** Swaps one place, or completes its swap. If the new file is no longer in `new/`, it is already in the home. */
async function movePlace(home: string, { path, arrives }: Place, step: SwapStep): Promise<void> {
  const [there, coming, gone] = [join(home, path), join(newHome(home), path), join(oldHome(home), path)]
  if (arrives && !(await isThere(coming))) return
  if ((await isThere(there)) && !(await isThere(gone))) {
    await mkdir(dirname(gone), { recursive: true, mode: 0o700 })
    step()
    await rename(there, gone)
  }
  if (!arrives) return
  step()
  await rename(coming, there)
}

const isThere = async (path: string): Promise<boolean> => (await unlessMissing(lstat(path))) !== undefined

/** Refuses a place that is a link or is on another disk, because it can't be moved by a rename. */
async function checkMovable(home: string, place: string): Promise<void> {
  const base = await stat(place.startsWith(`${sharedName}/`) ? join(home, sharedName) : home)
  const found = await unlessMissing(lstat(join(home, place)))
  if (!found || (found.dev === base.dev && !found.isSymbolicLink())) return
  throw new Failure(
    'refused',
    `${join(home, place)} is a link or a disk of its own: a restore can't put it aside. Nothing was changed.`,
    {
      rule: 'a restore renames what is there, so all of a home lies on one disk',
    },
  )
}
