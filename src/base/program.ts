// The program itself: its folder, and the name of its release.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The nearest folder above the bundle that has a package.json. */
export function programFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) throw new Error('The folder of the program, with its package.json and nginx/, is not above its code.')
    folder = above
  }
  return folder
}

/** The version of the program, such as `1.0.0`. */
export function programVersion(folder: string = programFolder()): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}

/** The running release: the name of an installed release, such as `1.0.0-3f9a0c51d2e4`, otherwise the version. */
export function programRelease(): string {
  const folder = programFolder()
  const version = programVersion(folder)
  return basename(folder).startsWith(`${version}-`) ? basename(folder) : version
}
