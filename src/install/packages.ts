// The packages of a release: those that its build imports, and their dependencies, at the places where Node finds them.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../base/failure.ts'

/**
 * Finds folders of packages below a checkout or release, such as `node_modules/sqlite3`.
 * @throws Failure `unprocessable` if a package that isn't optional is missing
 */
export async function findPackages(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  const visit = async (name: string, from: string, optional: boolean): Promise<void> => {
    const path = await findPackage(folder, name, from)
    if (path === undefined) {
      if (optional) return
      throw new Failure('unprocessable', `The package ${name} is missing in ${folder}. Run there: npm ci`)
    }
    if (found.has(path)) return
    found.add(path)
    const json = JSON.parse(await readFile(join(folder, path, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>
      readonly optionalDependencies?: Readonly<Record<string, string>>
    }
    // npm also lists optional dependencies among the others.
    const optionals = json.optionalDependencies ?? {}
    for (const other of Object.keys({ ...json.dependencies, ...optionals }))
      await visit(other, path, Object.hasOwn(optionals, other))
  }
  for (const name of names) await visit(name, '', false)
  return [...found].sort()
}

/** Looks in node_modules of the requiring package, then of each folder above it. */
async function findPackage(folder: string, name: string, from: string): Promise<string | undefined> {
  for (let place = from; ; place = dirname(place)) {
    const path = join(place, 'node_modules', name)
    if (existsSync(join(folder, path, 'package.json'))) return path
    if (place === '' || place === '.') return undefined
  }
}
