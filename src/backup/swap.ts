// Puts an unpacked site in the place of the one that is there, so that a kill at any moment leaves the old one or the new one.
//
// All of it happens in `.restore/` of the home, on the same file system: `new/` is what was unpacked, `old/` takes what was there, and `swap.json`
// names each place that changes. Until `swap.json` is there nothing in the home has been touched, and whoever finds `.restore/` then throws it
// away: the old site. From then on whoever finds it goes on to the end: the new site. Each place is two renames (there → `old/`,
// `new/` → there), and which of them are done can be told from what lies where, so that going on is the same as beginning again.
// Nobody may have the home open meanwhile: `enter-home.ts` sees to that.

import { access, lstat, mkdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile, syncToDisk } from '../durable.ts'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { filesOf } from '../store/database-file.ts'
import { databasePath, keyPath, savedFolders } from './manifest.ts'

const workName = '.restore'
const journalName = 'swap.json'

/** Where a restore puts together what is to come: below the home, on its file system. */
const workFolder = (home: string): string => join(home, workName)
/** The home that is to come. */
export const newHome = (home: string): string => join(home, workName, 'new')

/** Called before each change on disk; tests end the run in one. */
export type SwapStep = () => void

const noStep: SwapStep = () => undefined

/** Whether a restore was begun in this home and not brought to an end. */
export async function isSwapPending(home: string): Promise<boolean> {
  return (await unlessMissing(access(workFolder(home)).then(() => true))) ?? false
}

/** Begins anew: what an earlier restore left unfinished before its swap goes. */
export async function makeWorkFolder(home: string): Promise<string> {
  await rm(workFolder(home), { recursive: true, force: true })
  await mkdir(workFolder(home), { mode: 0o700 })
  await mkdir(newHome(home), { mode: 0o700 })
  return newHome(home)
}

/** A place of a home that a swap changes, and whether the new site has something for it; else it is emptied. */
interface Place {
  readonly path: string
  readonly arrives: boolean
}

/**
 * Decides for the new site, and puts it in place. What is in `new/` is whole and on disk.
 * @throws Failure `refused` where a place can't be renamed, such as another disk; nothing is changed then
 */
export async function swap(home: string, step: SwapStep = noStep): Promise<void> {
  const places = await placesOf(home)
  for (const { path } of places) await checkMovable(home, path)
  step()
  await replaceFile(join(workFolder(home), journalName), JSON.stringify(places), { mode: 0o600 })
  await finishSwap(home, step)
}

/** Goes on from wherever a restore was ended: to the new site where it was decided for, else back to the old one. */
export async function finishSwap(home: string, step: SwapStep = noStep): Promise<void> {
  const work = workFolder(home)
  const journal = await unlessMissing(readFile(join(work, journalName), 'utf8'))
  if (journal !== undefined) {
    const places = JSON.parse(journal) as readonly Place[]
    for (const place of places) await movePlace(home, place, step)
    for (const folder of new Set(places.map(({ path }) => dirname(join(home, path))))) await syncToDisk(folder)
    step()
    // Without it what is left is only to be thrown away, also by whoever comes later.
    await unlink(join(work, journalName))
    await syncToDisk(work)
  }
  step()
  await rm(work, { recursive: true, force: true })
}

/** The files beside the database, which would otherwise be replayed into the new one; the saved folders; the key. The database goes last. */
async function placesOf(home: string): Promise<readonly Place[]> {
  const beside = filesOf(databasePath).filter((path) => path !== databasePath)
  const paths = [...beside, ...savedFolders, keyPath, databasePath]
  return Promise.all(paths.map(async (path) => ({ path, arrives: await isThere(join(newHome(home), path)) })))
}

/** What lies where tells how far it came: what arrives and isn't in `new/` any more has arrived. */
async function movePlace(home: string, { path, arrives }: Place, step: SwapStep): Promise<void> {
  const [there, coming, gone] = [join(home, path), join(newHome(home), path), join(workFolder(home), 'old', path)]
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

/** A folder that is a disk of its own, or a link to one, can't be put aside by its name. */
async function checkMovable(home: string, place: string): Promise<void> {
  const [found, base] = [await unlessMissing(lstat(join(home, place))), await lstat(home)]
  if (!found || (found.dev === base.dev && !found.isSymbolicLink())) return
  throw new Failure(
    'refused',
    `${join(home, place)} is a link or a disk of its own: a restore can't put it aside. Nothing was changed.`,
    {
      rule: 'a restore renames what is there, so all of a home lies on one disk',
    },
  )
}
