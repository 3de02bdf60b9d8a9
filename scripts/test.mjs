// `npm test`: installs what is missing, builds, checks types, lint and form, and runs the tests with node's own runner.
// `--deep` adds test/deep and the whole suite on Node 24; file names run only those, without the checks.

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { buildStale, holdNode, install, root } from './ready.mjs'
import { createReporter } from './reporter.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    deep: { type: 'boolean', default: false },
    grep: { type: 'string' },
    'no-checks': { type: 'boolean', default: false },
  },
})

holdNode()
install(true)

const named = positionals.length > 0
if (named) await buildStale().catch(() => process.stdout.write('The program does not build; the named tests run without it.\n'))
else await buildStale()
const files = named
  ? positionals.map((file) => resolve(file))
  : testFiles('test').filter((file) => values.deep || !file.includes('/deep/'))
const outdir = join(root, 'dist', `test-${process.pid}`)
let failed = false
try {
  await bundleTests(files)
  if (!named && !values['no-checks']) failed = !(await checks())
  failed = !(await runTests(files.map(bundleOf))) || failed
  if (values.deep && !named && !failed)
    failed = !(await command('Node 24', 'npx', ['-y', '-p', 'node@24', 'node', 'scripts/test.mjs', '--no-checks']))
} finally {
  await rm(outdir, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

function testFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(root, folder, name))
}

function bundleOf(file) {
  return join(outdir, relative(root, file).replace(/\.ts$/, '.js'))
}

/** Each test with what it imports of ours in shared chunks; packages stay outside. */
async function bundleTests(entryPoints) {
  const { build } = await import('esbuild')
  const { common } = await import('./build.mjs')
  await build({ ...common, entryPoints, outdir, outbase: root, packages: 'external', chunkNames: 'chunks/[name]-[hash]' })
}

async function checks() {
  const results = await Promise.all([
    command('types', 'npx', ['tsc', '--noEmit']),
    command('lint', 'npx', ['oxlint', '--type-aware', '--deny-warnings', 'src', 'test']),
    command('form', 'npx', ['oxfmt', '--check', 'src', 'test', 'scripts']),
  ])
  return results.every(Boolean)
}

/** Runs a command to its end; what it said is shown where it failed. */
function command(name, program, args) {
  return new Promise((done) => {
    const live = name === 'Node 24'
    const child = spawn(program, args, { cwd: root, stdio: live ? ['ignore', 1, 2] : ['ignore', 'pipe', 'pipe'] })
    const said = []
    child.stdout?.on('data', (part) => said.push(part))
    child.stderr?.on('data', (part) => said.push(part))
    child.on('close', (code) => {
      process.stdout.write(code === 0 ? `✓ ${name}\n` : `✗ ${name}\n${Buffer.concat(said).toString()}\n`)
      done(code === 0)
    })
  })
}

async function runTests(bundles) {
  const reporter = createReporter(outdir)
  const stream = run({
    files: bundles,
    concurrency: 2,
    timeout: 300_000,
    ...(values.grep ? { testNamePatterns: [new RegExp(values.grep)] } : {}),
  })
  process.once('SIGINT', () => process.exit(130))
  for await (const event of stream) reporter.take(event)
  return reporter.close()
}
