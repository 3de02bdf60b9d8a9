// The files of a release: the build, the packages that it needs at run time, and documents for the operator. They come from a
// checkout or from another release. The name contains the version and a hash of the content, so that one name always means one
// program.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { constants, copyFile, chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { findPackages } from './packages.ts'
import { runTool } from './run-tool.ts'

/** A file of a release, below its folder. */
export interface ReleaseFile {
  readonly path: string
  readonly executable: boolean
  readonly bytes: number
}

/** A release in a folder, ready to be copied. */
export interface Source {
  readonly folder: string
  /** `1.0.0-3f9a0c51d2e4`. */
  readonly name: string
  readonly files: readonly ReleaseFile[]
  readonly bytes: number
  /** The packages that the build imports by name. */
  readonly packages: readonly string[]
}

const singles = ['package.json', 'package-lock.json', 'README.md', 'LICENSE']
const scripts = ['postern', 'start.mjs', 'ready.mjs', 'build.mjs'].map((name) => join('scripts', name))
const folders = ['nginx', 'systemd']

/** Reads a built checkout, or a release. @throws Failure `unprocessable` for a folder that is neither */
export async function readSource(folder: string): Promise<Source> {
  const { version } = await readJson<{ version: string }>(folder, 'package.json')
  const { files: built, packages } = await readJson<{ files: string[]; packages: string[] }>(folder, 'dist/contents.json')
  await checkFresh(folder)
  const paths = [
    ...singles,
    ...scripts,
    ...(await Promise.all(folders.map((name) => listFiles(folder, name)))).flat(),
    ...['contents.json', ...built].map((name) => join('dist', name)),
    ...(await Promise.all((await findPackages(folder, packages)).map((name) => listFiles(folder, name)))).flat(),
  ]
  const hash = createHash('sha256')
  const files: ReleaseFile[] = []
  for (const path of [...new Set(paths)].sort()) {
    const { size, mode } = await stat(join(folder, path)).catch(() => {
      throw noRelease(folder, `${path} is missing`)
    })
    const file = { path, executable: (mode & 0o100) !== 0, bytes: size }
    const content = createHash('sha256').update(await readFile(join(folder, path)))
    hash.update(`${path}\n${file.executable}\n${content.digest('hex')}\n`)
    files.push(file)
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { folder, name: `${version}-${hash.digest('hex').slice(0, 12)}`, files, bytes, packages }
}

async function readJson<T>(folder: string, path: string): Promise<T> {
  try {
    return JSON.parse(await readFile(join(folder, path), 'utf8')) as T
  } catch (cause) {
    throw noRelease(folder, `${path} can't be read`, cause)
  }
}

/** Refuses a build that is older than its sources. */
async function checkFresh(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'src'))) return
  const script = "process.exitCode = (await import('./scripts/build.mjs')).isStale() ? 3 : 0"
  const { code } = await runTool([process.execPath, '--input-type=module', '-e', script], { cwd: folder })
  if (code !== 0) throw noRelease(folder, 'its build is older than its sources')
}

const noRelease = (folder: string, why: string, cause?: unknown): Failure =>
  new Failure(
    'unprocessable',
    `${folder} holds no release that could be installed: ${why}. In a checkout run: npm ci && npm run build`,
    {},
    { cause },
  )

async function listFiles(folder: string, below: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((cause: unknown) => {
    throw noRelease(folder, `${below}/ can't be read`, cause)
  })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(below, entry.name)
    // Nested packages are listed separately, and links lead to other places.
    if (entry.isDirectory() && entry.name !== 'node_modules') found.push(...(await listFiles(folder, path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

/** The prefix of the folder of an incomplete release. */
export const draftPrefix = '.new-'

/**
 * Copies a release to a folder of its name. The folder appears only when it is complete and flushed to disk. Folders and programs
 * have mode 755, files 644.
 */
export async function copyRelease({ folder, files, name }: Source, releases: string): Promise<void> {
  const draft = join(releases, draftPrefix + name)
  await rm(draft, { recursive: true, force: true })
  const made = new Set<string>()
  for (const { path, executable } of files) {
    const to = join(draft, path)
    await makeParents(draft, path, made)
    await copyFile(join(folder, path), to, constants.COPYFILE_FICLONE)
    await chmod(to, executable ? 0o755 : 0o644)
  }
  await runTool(['sync', '--file-system', draft])
  await rename(draft, join(releases, name))
}

async function makeParents(draft: string, path: string, made: Set<string>): Promise<void> {
  const parents: string[] = []
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) parents.unshift(parent)
  for (const parent of ['', ...parents]) {
    if (made.has(parent)) continue
    made.add(parent)
    await mkdir(join(draft, parent), { recursive: true })
    await chmod(join(draft, parent), 0o755)
  }
}
