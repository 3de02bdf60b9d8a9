// Bundles the program into `dist/`, from which it runs. `npm test` checks the types, so a build needs no compiler.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The files that are started on their own, by their names in `dist/`. Units, installed releases and workers know these names. */
const entries = {
  main: 'app/main.ts',
  'cli/main': 'cli/main.ts',
  'backup-worker': 'app/backup-worker.ts',
  'content/render-worker': 'content/markdown/render-worker.ts',
  'imports/text-worker': 'imports/behind/text-worker.ts',
  'media/picture-worker': 'media/picture-worker.ts',
  'themes/theme-worker': 'themes/engine/theme-worker.ts',
}

/** The program of a plugin's process. It is one file, because that process may read no other. */
const wholeEntries = { 'plugins/host': 'plugins/host.ts' }

/** Plugins, themes and messages that come with Postern. They are copied and not bundled. */
const copied = ['plugins/bundled', 'themes/base', 'themes/shipped', 'themes/retired', 'themes/messages']

/** The packages of font families with the styles that pages use. Latin and Latin extended are copied, with the licence. */
const fontPackages = {
  figtree: ['normal', 'italic'],
  fraunces: ['normal'],
  lora: ['normal', 'italic'],
  'public-sans': ['normal', 'italic'],
}

/** Packages with native code, and packages that load their own files at run time. They stay outside the bundles. */
export const external = ['sqlite3', 'pg', 'sharp', 'esbuild']

/** The file in `dist/` that lists the files of this build and the packages that they import. A release consists of these. */
const contents = 'contents.json'

/**
 * The time for which the chunks of a build are stored after the next build. A running service may not have loaded all of its
 * chunks yet.
 */
const keepChunksMs = 7 * 86_400_000

/**
 * CodeMirror adds its styles as a `style` element, which the admin's policy refuses. It uses a constructed style sheet only in a
 * shadow root. This plugin replaces its condition, so that it always does.
 */
const constructedStyles = {
  name: 'constructed-styles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]style-mod[\\/]src[\\/]style-mod\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const condition = '!root.head && root.adoptedStyleSheets'
      if (!text.includes(condition)) throw new Error(`${path} has no condition "${condition}" to replace.`)
      return { contents: text.replace(condition, 'root.adoptedStyleSheets'), loader: 'js' }
    })
  },
}

/**
 * Imports that end in `?browser` are a script for the browser, as text: one file without imports, for the browsers of the last
 * years. The page that names the script serves it.
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
        minify: !process.env.PLAIN,
        write: false,
        logLevel: 'warning',
        plugins: [constructedStyles, sharedModules],
      })
      return { contents: outputFiles[0].text, loader: 'text' }
    })
  },
}

/**
 * The state and view of CodeMirror in `editor-more.ts` are those of the editor on its page (`editor/shared-modules.ts`), which would
 * not know the parts of a second copy.
 */
const sharedModules = {
  name: 'shared-modules',
  setup({ onResolve, onLoad, initialOptions }) {
    if (!String(initialOptions.entryPoints[0]).endsWith('editor-more.ts')) return
    onResolve({ filter: /^@codemirror\/(?:state|view)$/ }, ({ path }) => ({ path, namespace: 'shared' }))
    onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
      contents: `module.exports = globalThis.editorModules[${JSON.stringify(path)}]`,
    }))
  },
}

/** The options of every bundle. CommonJS packages in a bundle need `require`. */
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

/** True if the sources have changed since `dist/` was built. Always false for an installed release, which has no sources. */
export function isStale() {
  if (isInstalled()) return false
  const stamp = join(root, 'dist', '.stamp')
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceStamp()
}

/** True if this folder is a release that `postern install` installed: built, with its packages, without sources. */
export function isInstalled() {
  return !existsSync(join(root, 'src')) && existsSync(join(root, 'dist', contents))
}

/** A hash of the names, sizes and times of all files that a build reads. */
function sourceStamp() {
  const hash = createHash('sha256')
  for (const file of [...sourcesIn('src').sort(), 'package-lock.json', 'scripts/build.mjs']) {
    const found = statSync(join(root, file), { throwIfNoEntry: false })
    if (found) hash.update(`${file} ${found.size} ${found.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The files of a folder. Every command runs this. It takes a third of the time of Node's recursive `readdir`. */
function sourcesIn(folder) {
  const names = readdirSync(join(root, folder), { withFileTypes: true })
  return names.flatMap((name) => (name.isDirectory() ? sourcesIn(`${folder}/${name.name}`) : [`${folder}/${name.name}`]))
}

/**
 * Builds into a folder next to `dist/` and moves the files into place, so that a start never finds half a program.
 * @throws if the sources don't bundle
 */
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
      const entryPoints = Object.entries(names)
        .map(([out, name]) => ({ out, in: join(root, 'src', name) }))
        .filter((entry) => existsSync(entry.in))
      const { metafile } = await bundle({
        ...common,
        entryPoints,
        splitting,
        outdir: fresh,
        outbase: join(root, 'src'),
        external,
        // Without whitespace, each start is faster. Names stay, source maps have the lines, and a printed line fits on a screen.
        minifyWhitespace: true,
        lineLimit: 200,
        metafile: true,
      })
      for (const name of packagesOf(metafile)) packages.add(name)
    }
    for (const folder of copied) {
      const source = join(root, 'src', folder)
      if (existsSync(source)) await cp(source, join(fresh, folder), { recursive: true })
    }
    await copyFonts(join(fresh, fontFolder))
    const files = (await filesOf(fresh)).sort()
    await writeFile(join(fresh, contents), JSON.stringify({ packages: [...packages].sort(), files }))
    await writeFile(join(fresh, '.stamp'), stamp)
    await keepChunks(dist)
    await moveInto(dist, fresh)
    await dropOldCopies(dist, files)
    await dropOldChunks(join(dist, 'chunks'))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** The folder in `dist/` with the fonts. */
const fontFolder = 'themes/fonts'

async function copyFonts(folder) {
  await mkdir(folder, { recursive: true })
  for (const [name, styles] of Object.entries(fontPackages)) {
    const source = join(root, 'node_modules', '@fontsource-variable', name)
    if (!existsSync(source)) continue
    await cp(join(source, 'LICENSE'), join(folder, `${name}-license.txt`))
    for (const subset of ['latin', 'latin-ext'])
      for (const style of styles) {
        const file = `${name}-${subset}-wght-${style}.woff2`
        await cp(join(source, 'files', file), join(folder, file))
      }
  }
}

/**
 * Replaces each file in one step. Chunks come first and are named by their content, so that the imports of an entry always exist,
 * both for the new entry and for the old one of a running service. The stamp comes last.
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

/** The packages that the bundles import, without Node's own modules. */
function packagesOf({ outputs }) {
  const asked = Object.values(outputs).flatMap(({ imports }) => imports.filter((one) => one.external))
  return asked.map(({ path }) => path).filter((path) => external.includes(path))
}

/** Marks the chunks of the replaced build as used until now, however long ago it was built. */
async function keepChunks(dist) {
  const file = join(dist, contents)
  if (!existsSync(file)) return
  const { files } = JSON.parse(await readFile(file, 'utf8'))
  const now = new Date()
  for (const name of files.filter((one) => one.startsWith('chunks'))) {
    await utimes(join(dist, name), now, now).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}

/** Deletes the files that themes and plugins no longer have. Such a file would otherwise still be part of them. */
async function dropOldCopies(dist, files) {
  for (const folder of [...copied, fontFolder].filter((one) => existsSync(join(dist, one))))
    for (const name of await filesOf(join(dist, folder)))
      if (!files.includes(join(folder, name))) await rm(join(dist, folder, name), { force: true })
}

async function dropOldChunks(folder) {
  const now = Date.now()
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const file = join(folder, name)
    if (now - (await stat(file)).mtimeMs > keepChunksMs) await rm(file, { force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Not awaited: ready.mjs imports this module. An await here would keep this module from ever finishing.
  import('./ready.mjs').then(({ buildNow }) => buildNow())
}
