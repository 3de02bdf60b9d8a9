// The plugins that come with Postern. Their folders are next to the built program, belong to its release, and never change.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFile } from '../base/worker-file.ts'
import { type Manifest, readPluginManifest } from './manifest.ts'

export interface Bundled {
  readonly manifest: Manifest
  readonly folder: string
}

let bundled: ReadonlyMap<string, Bundled> | undefined

/** The bundled plugins by id. They are read once: an upgrade restarts the program. @throws Failure for an invalid manifest */
export function bundledPlugins(): ReadonlyMap<string, Bundled> {
  return (bundled ??= readBundled(fileURLToPath(workerFile('plugins/bundled', import.meta.url))))
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
