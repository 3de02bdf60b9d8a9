// What Postern stands on: each package runs on the oldest Node that we promise, none is below a version with a known hole.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { satisfies } from 'semver'
import { root } from '../site.ts'

interface Manifest {
  readonly version: string
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version: string
        readonly resolved?: string
        readonly dev?: boolean
        readonly optional?: boolean
        readonly hasInstallScript?: boolean
        readonly engines?: { readonly node?: string }
        readonly dependencies?: Readonly<Record<string, string>>
        readonly optionalDependencies?: Readonly<Record<string, string>>
      }
    >
  >
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T
const own = read<Manifest>('package.json')
const lock = read<Lock>('package-lock.json')

const floorNode = '20.19.0'

/** Below these, holes are known (attacks 91, 95, 103, 118, 125). */
const floors: Readonly<Record<string, string>> = {
  'sanitize-html': '>=2.17.5',
  liquidjs: '>=10.27.2',
  'markdown-it': '>=14.1.1',
  'linkify-it': '>=5.0.2',
  kysely: '>=0.28.17',
  undici: '>=7.24.0',
}

/** Runs while npm installs and serves nobody; its own packages follow it. */
const compilesNativeCode = 'node_modules/node-gyp/'

test('every package admits the oldest Node that Postern promises', () => {
  const wrong = Object.entries(lock.packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(floorNode, engines.node))
    .map(([path, { version, engines }]) => `${path} ${version} wants ${engines?.node}`)
  assert.deepEqual(wrong, [])
})

test('no package is below its floor', () => {
  const below = Object.entries(lock.packages)
    .filter(([path]) => !path.startsWith(compilesNativeCode))
    .map(([path, { version }]) => ({ name: path.split('node_modules/').at(-1) ?? '', version }))
    .filter(({ name, version }) => floors[name] !== undefined && !satisfies(version, floors[name]))
  assert.deepEqual(below, [])
})

test('every package with an install script is named, and no other', () => {
  const scripted = Object.entries(lock.packages).filter(
    ([, { hasInstallScript, optional, dev }]) => hasInstallScript && !optional && !dev,
  )
  const names = scripted.map(([path]) => path.split('node_modules/').at(-1) ?? '')
  assert.deepEqual([...new Set(names)].sort(), Object.keys(own.allowScripts ?? {}).sort())
})

test('the lock file names no registry', () => {
  assert.deepEqual(
    Object.values(lock.packages).filter(
      ({ resolved }) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
    ),
    [],
  )
})

test('the lock file names every package of every platform, or npm ci refuses it', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path} → ${name}`),
  )
  assert.deepEqual(missing, [])
})

/** Whether a package finds another as Node looks for it: below itself, then beside each folder above. */
function isLocked(path: string, name: string): boolean {
  const inside = path === '' ? '' : `${path}/`
  if (lock.packages[`${inside}node_modules/${name}`]) return true
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)), name)
}
