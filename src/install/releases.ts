// The installed releases: their folders, the link to the current one, and a record next to each of the upgrade to it.

import { lstat, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile, syncToDisk } from '../base/durable.ts'
import { unlessMissing } from '../base/missing.ts'
import { paths, type Places } from './places.ts'
import { draftPrefix } from './release-files.ts'

/** The record of the upgrade to a release. Times are UTC milliseconds. */
export interface Arrival {
  readonly at: number
  /** The release before the upgrade. */
  readonly previous: string
  /** The path of the backup that the upgrade made; null if there is none. */
  readonly backup: string | null
  /** True if the upgrade was completed. The next upgrade completes a killed one. */
  readonly done: boolean
  /** True if a rollback from this release was begun and not completed. */
  readonly leaving?: boolean
}

/** The number of releases to retain. */
const kept = 3

/** The folder of a release, below the root if there is one. */
export const releaseFolder = (places: Places, name: string): string => join(places.at(paths.releases), name)

/** The current release, which the next start runs. Undefined if none is installed. */
export async function findCurrent(places: Places): Promise<string | undefined> {
  const target = await unlessMissing(readlink(places.at(paths.current)))
  return target === undefined ? undefined : basename(target)
}

/** Makes another release the current one, by one rename. The link is relative, so that it also works below a root. */
export async function switchTo(places: Places, name: string): Promise<void> {
  const link = places.at(paths.current)
  const draft = `${link}.new`
  await rm(draft, { force: true })
  await symlink(join('releases', name), draft)
  await rename(draft, link)
  await syncToDisk(dirname(link))
}

/** The names of all complete releases. */
export async function listReleases(places: Places): Promise<readonly string[]> {
  const entries = (await unlessMissing(readdir(places.at(paths.releases), { withFileTypes: true }))) ?? []
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
}

const arrivalPath = (places: Places, name: string): string => `${releaseFolder(places, name)}.json`

/** Reads the record of the upgrade to a release; undefined for an install. */
export async function readArrival(places: Places, name: string): Promise<Arrival | undefined> {
  const text = await unlessMissing(readFile(arrivalPath(places, name), 'utf8'))
  // Older releases wrote the record only at the end of an upgrade.
  return text === undefined ? undefined : { done: true, ...(JSON.parse(text) as Omit<Arrival, 'done'> & Partial<Arrival>) }
}

/** Records an upgrade to a release, replacing an earlier record. */
export async function writeArrival(places: Places, name: string, arrival: Arrival): Promise<void> {
  const path = arrivalPath(places, name)
  await replaceFile(path, `${JSON.stringify(arrival)}\n`, { mode: 0o644, draft: `${path}.new` })
}

/** The release that an unfinished rollback to the current one was leaving. */
export async function findLeft(places: Places, current: string): Promise<string | undefined> {
  for (const name of await listReleases(places)) {
    const arrival = await readArrival(places, name)
    if (arrival?.leaving && arrival.previous === current) return name
  }
  return undefined
}

export async function dropRelease(places: Places, name: string): Promise<void> {
  const draft = join(places.at(paths.releases), `${draftPrefix}${name}`)
  await rm(arrivalPath(places, name), { force: true })
  await rm(draft, { recursive: true, force: true })
  // Renamed first, so that a folder with the name of a release is always complete.
  await unlessMissing(rename(releaseFolder(places, name), draft))
  await rm(draft, { recursive: true, force: true })
}

/** The releases to remove: all but the current one, the one before it, and the newest of the others. */
export async function listSpare(places: Places, current: string, previous: string): Promise<readonly string[]> {
  const others = (await listReleases(places)).filter((name) => name !== current && name !== previous)
  const aged = await Promise.all(others.map(async (name) => ({ name, at: (await lstat(releaseFolder(places, name))).ctimeMs })))
  const newestFirst = aged.sort((a, b) => b.at - a.at).map(({ name }) => name)
  return newestFirst.slice(current === previous ? kept - 1 : kept - 2)
}

/** Removes the incomplete releases of killed runs. */
export async function dropDrafts(places: Places): Promise<void> {
  const folder = places.at(paths.releases)
  for (const name of (await unlessMissing(readdir(folder))) ?? [])
    if (name.startsWith(draftPrefix)) await rm(join(folder, name), { recursive: true, force: true })
}
