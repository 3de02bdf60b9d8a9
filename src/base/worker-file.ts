// Finds the built file of a worker. The calling code may be bundled to any place in `dist/`.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Returns the URL of a built worker: the file `name` in the nearest folder, or in its `dist`, from the calling module upwards.
 * @throws Error if there is none, which means that the build is missing or stale
 */
export function workerFile(name: string, askedFrom: string): URL {
  let folder = dirname(fileURLToPath(askedFrom))
  for (;;) {
    for (const file of [join(folder, name), join(folder, 'dist', name)]) if (existsSync(file)) return pathToFileURL(file)
    const above = dirname(folder)
    if (above === folder) throw new Error(`${name} isn't built: run \`npm run build\`.`)
    folder = above
  }
}
