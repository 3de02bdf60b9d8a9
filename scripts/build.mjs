// Bundles the program to `dist/`: what runs is what is here. Types are `npm test`'s to check, so that a build needs no compiler.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** What is started by itself; each keeps its place below `dist/`. */
const entries = ['main.ts', 'cli/main.ts', 'content/render-worker.ts']

/** Packages that hold native code, or find files beside their own. */
export const external = ['sqlite3', 'esbuild']

/** What every bundle shares. Packages that are CommonJS inside ask for `require`. */
export const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  outExtension: { '.js': '.js' },
  loader: { '.md': 'text', '.css': 'text', '.svg': 'text' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
}

/** Whether `dist/` was made from the sources as they are. */
export function isStale() {
  const stamp = join(root, 'dist', '.stamp')
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceStamp()
}

/** Names, sizes and times of all that a build reads. */
function sourceStamp() {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'src'), { recursive: true }).map((name) => join('src', name))
  for (const file of [...files.sort(), 'package-lock.json', 'scripts/build.mjs']) {
    const { size, mtimeMs } = statSync(join(root, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Builds beside and moves into place, so that a start never finds half a program. */
export async function build() {
  const { build: bundle } = await import('esbuild')
  const stamp = sourceStamp()
  const dist = join(root, 'dist')
  const fresh = join(root, `dist-${process.pid}`)
  try {
    await bundle({
      ...common,
      entryPoints: entries.map((entry) => join(root, 'src', entry)),
      outdir: fresh,
      outbase: join(root, 'src'),
      external,
      chunkNames: 'chunks/[name]-[hash]',
    })
    await writeFile(join(fresh, '.stamp'), stamp)
    await replace(dist, fresh)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Test bundles live below `dist/` too and stay where they are. */
async function replace(dist, fresh) {
  await mkdir(dist, { recursive: true })
  const old = await mkdirBeside(dist)
  for (const name of await readdir(dist)) if (!name.startsWith('test')) await rename(join(dist, name), join(old, name))
  for (const name of await readdir(fresh)) await rename(join(fresh, name), join(dist, name))
  await rm(old, { recursive: true, force: true })
}

async function mkdirBeside(dist) {
  const old = `${dist}-old-${process.pid}`
  await mkdir(old, { recursive: true })
  return old
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
