// The releases that are installed: their folders, the link to the one that runs, and beside each what an upgrade to it came from.

import { lstat, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile, syncToDisk } from '../durable.ts'
import { unlessMissing } from '../missing.ts'
import { paths, type Places } from './places.ts'
import { draftPrefix } from './release-files.ts'

/** How a release came to be the current one; times are UTC milliseconds. */
export interface Arrival {
  readonly at: number
  /** The release before it. */
  readonly previous: string
  /** Path of the backup that was taken just before; null where none was. */
  readonly backup: string | null
  /** Whether the upgrade came to its end; one that was killed is brought to it by the next. */
  readonly done: boolean
  /** Whether a way back from it was begun; gone once the release before serves. */
  readonly leaving?: boolean
}

/** How many releases stay. */
const kept = 3

/** Where a release lies, on this machine or below its root. */
export const releaseFolder = (places: Places, name: string): string => join(places.at(paths.releases), name)

/** The release that starts next; undefined where none is installed. */
export async function findCurrent(places: Places): Promise<string | undefined> {
  const target = await unlessMissing(readlink(places.at(paths.current)))
  return target === undefined ? undefined : basename(target)
}

/** Has another release start next, by one rename. The link is a relative one, so that it holds below a root too. */
export async function switchTo(places: Places, name: string): Promise<void> {
  const link = places.at(paths.current)
  const draft = `${link}.new`
  await rm(draft, { force: true })
  await symlink(join('releases', name), draft)
  await rename(draft, link)
  await syncToDisk(dirname(link))
}

/** Names of the releases that are there, whole ones alone. */
export async function listReleases(places: Places): Promise<readonly string[]> {
  const entries = (await unlessMissing(readdir(places.at(paths.releases), { withFileTypes: true }))) ?? []
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
}

const arrivalPath = (places: Places, name: string): string => `${releaseFolder(places, name)}.json`

/** How a release became the current one; undefined for one that came by an install. */
export async function readArrival(places: Places, name: string): Promise<Arrival | undefined> {
  const text = await unlessMissing(readFile(arrivalPath(places, name), 'utf8'))
  // Of an upgrade by an older release only the end is on record.
  return text === undefined ? undefined : { done: true, ...(JSON.parse(text) as Omit<Arrival, 'done'> & Partial<Arrival>) }
}

/** Notes how a release becomes the current one, in place of what was noted before. */
export async function writeArrival(places: Places, name: string, arrival: Arrival): Promise<void> {
  const path = arrivalPath(places, name)
  await replaceFile(path, `${JSON.stringify(arrival)}\n`, { mode: 0o644, draft: `${path}.new` })
}

/** The release that a rollback to this one was leaving when it was ended. */
export async function findLeft(places: Places, current: string): Promise<string | undefined> {
  for (const name of await listReleases(places)) {
    const arrival = await readArrival(places, name)
    if (arrival?.leaving && arrival.previous === current) return name
  }
  return undefined
}

/** Takes a release away, first what is needed least. */
export async function dropRelease(places: Places, name: string): Promise<void> {
  const draft = join(places.at(paths.releases), `${draftPrefix}${name}`)
  await rm(arrivalPath(places, name), { force: true })
  await rm(draft, { recursive: true, force: true })
  // Renamed first: what is there under its name is whole.
  await unlessMissing(rename(releaseFolder(places, name), draft))
  await rm(draft, { recursive: true, force: true })
}

/** The releases that are one too many: all but the current one, the one before it, and the newest other. */
export async function listSpare(places: Places, current: string, previous: string): Promise<readonly string[]> {
  const others = (await listReleases(places)).filter((name) => name !== current && name !== previous)
  const aged = await Promise.all(others.map(async (name) => ({ name, at: (await lstat(releaseFolder(places, name))).ctimeMs })))
  const newestFirst = aged.sort((a, b) => b.at - a.at).map(({ name }) => name)
  return newestFirst.slice(current === previous ? kept - 1 : kept - 2)
}

/** What ended runs left half done. */
export async function dropDrafts(places: Places): Promise<void> {
  const folder = places.at(paths.releases)
  for (const name of (await unlessMissing(readdir(folder))) ?? [])
    if (name.startsWith(draftPrefix)) await rm(join(folder, name), { recursive: true, force: true })
}
