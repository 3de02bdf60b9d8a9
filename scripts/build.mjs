// Bundles the program to `dist/`: what runs is what is here. Types are `npm test`'s to check, so that a build needs no compiler.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** What is started by itself; each keeps its place below `dist/`. */
const entries = ['main.ts', 'cli/main.ts', 'backup-worker.ts', 'content/render-worker.ts']

/** What a plugin's process runs: one file, since it may read no other. */
const wholeEntries = ['plugins/host.ts']

/** Plugins that come with Postern; they stay as they are. */
const bundledPlugins = join('plugins', 'bundled')

/** Packages that hold native code, or find files beside their own. */
export const external = ['sqlite3', 'pg', 'sharp', 'esbuild']

/** Says of `dist/` which files are this build's, and which packages they ask for: what a release is made of. */
const contents = 'contents.json'

/** How long a part that no later build has is kept for a service that still runs and has yet to load it. */
const keepChunksMs = 7 * 86_400_000

/**
 * Imports that end in `?browser` are a script for the browser: one file without imports, for browsers of the last years, as text. The page that
 * names the script serves it.
 */
const browserScripts = {
  name: 'browser-scripts',
  setup({ onResolve, onLoad, esbuild }) {
    onResolve({ filter: /\?browser$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?browser$/, '')),
      namespace: 'browser',
    }))
    onLoad({ filter: /./, namespace: 'browser' }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [path],
        bundle: true,
        platform: 'browser',
        format: 'iife',
        target: 'es2020',
        minify: true,
        write: false,
        logLevel: 'warning',
      })
      return { contents: outputFiles[0].text, loader: 'text' }
    })
  },
}

/** What every bundle shares. Packages that are CommonJS inside ask for `require`. */
export const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  loader: { '.md': 'text', '.css': 'text', '.svg': 'text' },
  plugins: [browserScripts],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
}

/** Whether `dist/` was made from the sources as they are; an installed release has none. */
export function isStale() {
  if (isInstalled()) return false
  const stamp = join(root, 'dist', '.stamp')
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceStamp()
}

/** Whether this is a release as `postern install` puts it: built, with its packages, and without sources. */
export function isInstalled() {
  return !existsSync(join(root, 'src')) && existsSync(join(root, 'dist', contents))
}

/** Names, sizes and times of all that a build reads. */
function sourceStamp() {
  const hash = createHash('sha256')
  for (const file of [...sourcesIn('src').sort(), 'package-lock.json', 'scripts/build.mjs']) {
    const found = statSync(join(root, file), { throwIfNoEntry: false })
    if (found) hash.update(`${file} ${found.size} ${found.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Every command looks; a walk by hand takes a third of the time of node's own. */
function sourcesIn(folder) {
  const names = readdirSync(join(root, folder), { withFileTypes: true })
  return names.flatMap((name) => (name.isDirectory() ? sourcesIn(`${folder}/${name.name}`) : [`${folder}/${name.name}`]))
}

/** Builds beside and moves into place, so that a start never finds half a program. Throws where the sources don't bundle. */
export async function build() {
  const { build: bundle } = await import('esbuild')
  const stamp = sourceStamp()
  const dist = join(root, 'dist')
  const fresh = join(root, `dist-${process.pid}`)
  const packages = new Set()
  try {
    for (const [names, splitting] of [
      [entries, true],
      [wholeEntries, false],
    ]) {
      const entryPoints = names.map((entry) => join(root, 'src', entry)).filter((entry) => existsSync(entry))
      const { metafile } = await bundle({
        ...common,
        entryPoints,
        splitting,
        outdir: fresh,
        outbase: join(root, 'src'),
        external,
        // Less to read at each start. Names stay, the maps know the lines, and what is shown of one fits a screen.
        minifyWhitespace: true,
        lineLimit: 200,
        metafile: true,
      })
      for (const name of packagesOf(metafile)) packages.add(name)
    }
    const bundled = join(root, 'src', bundledPlugins)
    if (existsSync(bundled)) await cp(bundled, join(fresh, bundledPlugins), { recursive: true })
    const files = (await filesOf(fresh)).sort()
    await writeFile(join(fresh, contents), JSON.stringify({ packages: [...packages].sort(), files }))
    await writeFile(join(fresh, '.stamp'), stamp)
    await moveInto(dist, fresh)
    await dropOldChunks(join(dist, 'chunks'))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/**
 * Each file replaces its forerunner in one step. Chunks come first and are named by their content, so that what an entry imports
 * is always there, for the new entry as for the old one in a service that runs; the stamp comes last.
 */
async function moveInto(dist, fresh) {
  const files = await filesOf(fresh)
  const rank = (file) => (file === '.stamp' ? 2 : file.startsWith('chunks') ? 0 : 1)
  for (const file of files.sort((a, b) => rank(a) - rank(b))) {
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await rename(join(fresh, file), join(dist, file))
  }
}

async function filesOf(folder) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name).slice(folder.length + 1))
}

/** What a bundle leaves outside of it, node's own modules aside. */
function packagesOf({ outputs }) {
  const asked = Object.values(outputs).flatMap(({ imports }) => imports.filter((one) => one.external))
  return asked.map(({ path }) => path).filter((path) => external.includes(path))
}

async function dropOldChunks(folder) {
  const now = Date.now()
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const file = join(folder, name)
    if (now - (await stat(file)).mtimeMs > keepChunksMs) await rm(file, { force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Not awaited: ready.mjs imports this module, which an await here would keep from ever being done.
  import('./ready.mjs').then(({ buildNow }) => buildNow())
}
