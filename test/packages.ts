// Packages of plugins for tests: zips of folders, or of texts by path.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { root } from './site.ts'

/** The folder of a plugin among the fixtures. */
export const fixture = (name: string): string => join(root, 'test', 'fixtures', 'plugins', name)

/** A zip of these files, honest in everything. */
export async function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new ZipFile()
  const fixed = { mtime: new Date('2026-01-01T00:00:00Z'), mode: 0o100644 }
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, fixed)
  zip.end()
  return buffer(zip.outputStream)
}

/** A fixture's files by path. */
export async function filesOf(name: string): Promise<Record<string, string>> {
  const names = await readdir(fixture(name), { recursive: true, withFileTypes: true })
  const paths = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return Object.fromEntries(paths.map((path, at) => [path.slice(fixture(name).length + 1), texts[at] ?? '']))
}

/** A fixture as a zip, with another `plugin.json` where members of it are given, and other files. */
export async function zipOfFixture(
  name: string,
  manifest: Readonly<Record<string, unknown>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const all = await filesOf(name)
  const json = JSON.stringify({ ...(JSON.parse(all['plugin.json'] ?? '{}') as object), ...manifest })
  return zipOf({ ...all, 'plugin.json': json, ...files })
}

/** A plugin that does nothing but what `activate` says. */
export const smallPlugin = (id: string, manifest: Readonly<Record<string, unknown>> = {}, activate = ''): Promise<Buffer> =>
  zipOf({
    'plugin.json': JSON.stringify({ id, name: id, version: '1.0.0', main: 'index.js', ...manifest }),
    'index.js': `export async function activate(postern) { ${activate} }\n`,
  })
