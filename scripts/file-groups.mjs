// Groups the test files that share a process. Starting a process and loading the program takes half a second, more than most
// files take.

import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './ready.mjs'

/**
 * The greatest number of files in a process. More would leave processors idle at the end of a run. Files in test/system take
 * longer. Files that measure processor time are small, and share a process only with each other, where no site is open.
 */
const perGroup = { system: 8, other: 24, measuring: 24 }

const runner = join(root, 'scripts', 'grouped-tests.mjs')

/** A file has its own process if it says so, starts itself as another process, or measures processor time where a site is open. */
const needsProcess = /Runs in a process of its own|import\.meta\.url|process\.cpuUsage/

/** @returns the files that run alone, and the groups of the others, with the slowest first */
export function groupFiles(files) {
  const groups = { alone: [], system: [], other: [], measuring: [] }
  for (const file of files) groups[kindOf(file)].push(file)
  const { alone, ...shared } = groups
  return { alone, groups: Object.entries(shared).flatMap(([kind, members]) => inGroups(members, perGroup[kind])) }
}

function kindOf(file) {
  const text = readFileSync(file, 'utf8')
  if (file.includes('/test/deep/') || needsProcess.test(text)) return 'alone'
  if (file.includes('/test/system/')) return 'system'
  return text.includes('/processor-time') ? 'measuring' : 'other'
}

/** Files with neighbouring names take about the same time, and go to different groups. */
function inGroups(files, most) {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, place) => files.filter((_file, index) => index % count === place))
}

export async function bundleGroups(groups, options) {
  if (groups.length === 0) return []
  const { build } = await import('esbuild')
  const names = groups.map((_, index) => `group-${index + 1}`)
  const entryPoints = Object.fromEntries(names.map((name, index) => [name, `group:${index}`]))
  await build({ ...options, entryPoints, plugins: [...options.plugins, asEntries(groups)] })
  return names.map((name) => join(options.outdir, `${name}.js`))
}

/** Makes each group a module that runs its files, and lets the files declare their tests to it. */
function asEntries(groups) {
  return {
    name: 'groups',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }))
      onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
        contents: sourceOf(groups[Number(path.slice('group:'.length))]),
        resolveDir: root,
      }))
      onResolve({ filter: /^node:test$/ }, ({ importer }) =>
        dirname(importer) === dirname(runner) ? undefined : { path: runner },
      )
    },
  }
}

function sourceOf(files) {
  const rows = files.map((file) => `${JSON.stringify(relative(root, file))}: () => import(${JSON.stringify(file)}),`)
  return `import { runFiles } from ${JSON.stringify(runner)}\nrunFiles({\n${rows.join('\n')}\n})\n`
}
