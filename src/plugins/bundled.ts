// The plugins that come with Postern: folders beside the built program, of the release that runs and nobody's to change.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFile } from '../worker-file.ts'
import { type Manifest, readPluginManifest } from './manifest.ts'

export interface Bundled {
  readonly manifest: Manifest
  /** Its files. */
  readonly folder: string
}

let found: ReadonlyMap<string, Bundled> | undefined

/** The bundled plugins by id, read once: an upgrade starts the program anew. @throws Failure for a manifest that isn't right */
export function bundledPlugins(): ReadonlyMap<string, Bundled> {
  return (found ??= readBundled(fileURLToPath(workerFile('plugins/bundled', import.meta.url))))
}

function readBundled(folder: string): ReadonlyMap<string, Bundled> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map(
    names.map(({ name }) => {
      const manifest = readPluginManifest(readFileSync(join(folder, name, 'plugin.json'), 'utf8'))
      return [manifest.id, { manifest, folder: join(folder, name) }]
    }),
  )
}
