// Checks the home of the service: owner and modes, a folder for installed plugins, and free space on the disk.

import { access, constants, lstat, readdir, statfs } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { broken, ok, type Verdict, warning } from '../../doctor/finding.ts'
import { explainUnwritable, userName } from '../../base/unwritable.ts'
import type { Check } from './health-check.ts'
import { protectedFolders } from '../../doctor/protected-paths.ts'

/** The most files that the check reads. A large site has a hundred thousand uploads. */
const maxRead = 5000
const maxNamed = 5

interface Wrong {
  readonly path: string
  readonly why: string
}

export const homeCheck: Check = {
  id: 'home',
  async run({ config: { POSTERN_HOME: home } }) {
    const data = (await lstat(join(home, 'data'))).mode & 0o777
    const wrong: Wrong[] = data === 0o700 ? [] : [{ path: 'data', why: `mode ${data.toString(8)}, not 700` }]
    await checkModes(home, join(home, 'user-content'), wrong, { read: 0 })
    if (wrong.length === 0) return ok('Owner and modes in the home are as they should be.')
    const named = wrong.slice(0, maxNamed).map(({ path, why }) => `${path} (${why})`)
    const more = wrong.length > maxNamed ? ` and ${wrong.length - maxNamed} more` : ''
    return warning(`Wrong owner or mode in the home ${home}: ${named.join(', ')}${more}.`, repair(home))
  },
}

/**
 * Checks that folders in `user-content/` have mode 755 and files 644, and that all belong to the service's user. Protected folders
 * may have stricter modes. Links aren't followed.
 */
async function checkModes(home: string, path: string, wrong: Wrong[], count: { read: number }): Promise<void> {
  if (count.read++ >= maxRead) return
  const found = await lstat(path).catch(() => undefined)
  if (!found || found.isSymbolicLink()) return
  const [mode, right] = [found.mode & 0o777, found.isDirectory() ? 0o755 : 0o644]
  // Root checks the home of another user, so the owner of the home folder counts.
  const owner = process.getuid?.() === 0 ? (await lstat(home)).uid : process.getuid?.()
  const why =
    owner !== undefined && found.uid !== owner
      ? `belongs to user id ${found.uid}`
      : mode === right || ((mode & ~right) === 0 && isNeverServed(relative(home, path)))
        ? undefined
        : `mode ${mode.toString(8)}, not ${right.toString(8)}`
  if (why !== undefined) wrong.push({ path: relative(home, path), why })
  if (!found.isDirectory()) return
  for (const name of await readdir(path).catch(() => [])) await checkModes(home, join(path, name), wrong, count)
}

const isNeverServed = (path: string): boolean => protectedFolders.some((folder) => `/${path}/`.startsWith(`${folder}/`))

function repair(home: string): string {
  const owner = process.getuid?.() === 0 ? `--reference=${home}` : `${userName()}:`
  return `sudo chown -R ${owner} ${home} && chmod 700 ${home}/data && chmod -R u=rwX,go=rX ${home}/user-content`
}

export const stagingCheck: Check = {
  id: 'staging',
  async run({ config: { POSTERN_HOME: home } }) {
    const plugins = join(home, 'user-content', 'plugins')
    const error = await access(plugins, constants.W_OK | constants.X_OK).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (error === undefined) return ok('Plugins can be installed.')
    const { reason, owner, user, fix } = await explainUnwritable(error, [plugins])
    const message = `No plugin can be installed or updated: the staging directory could not be created in ${plugins}, which ${reason}${owner}.`
    // `install -d` creates the folder, or corrects the owner and mode of an existing one.
    return broken(message, fix ?? `sudo install -d -o ${user} -m 755 ${plugins}`)
  },
}

const leastFree = 0.1

/** The fields of statfs(2) that the check needs; `files` is 0 on a file system without a fixed number of inodes. */
export interface Disk {
  readonly bavail: number
  readonly blocks: number
  readonly bsize: number
  readonly ffree: number
  readonly files: number
}

/** Describes the fault of a home's disk; undefined if there is enough space. */
export function diskFault(
  { bavail, blocks, bsize, ffree, files }: Disk,
  databaseBytes: number,
  home: string,
): Verdict | undefined {
  const free = bavail * bsize
  const short =
    bavail < blocks * leastFree || free < 2 * databaseBytes
      ? `${toMiB(free)} MiB (${percent(bavail, blocks)} %) are free`
      : files > 0 && ffree < files * leastFree
        ? `${percent(ffree, files)} % of its inodes are free`
        : undefined
  if (short === undefined) return undefined
  return warning(
    `The disk of the home is nearly full: ${short}. Backups fail first, then writes.`,
    `Remove what is not needed, or enlarge the disk. To find what takes space: du -xh --max-depth=3 ${home} | sort -h`,
  )
}

export const diskCheck: Check = {
  id: 'disk',
  async run({ config: { POSTERN_HOME: home }, store }) {
    const disk = await statfs(home)
    // A PostgreSQL database takes no space in the home.
    const bytes = store.engine === 'SQLite' ? (await store.measureFiles()).database : 0
    return diskFault(disk, bytes, home) ?? ok(`${toMiB(disk.bavail * disk.bsize)} MiB are free on the disk of the home.`)
  },
}

const toMiB = (bytes: number): number => Math.floor(bytes / 1024 ** 2)
const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((100 * part) / whole))
