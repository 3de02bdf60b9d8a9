// An import with a folder of pictures and files beside it, such as a copy of `wp-content/uploads`.

import type { SourceFiles } from '../source-files.ts'

/** The folder under which readers find the media. */
const below = 'uploads/'

/** Returns the files with those of the media below `uploads/`. */
export function withMedia(files: SourceFiles, media: SourceFiles): SourceFiles {
  const hasUploads = [...media.sizes.keys()].some((path) => /(?:^|\/)(?:uploads|files|images)\//.test(path))
  const prefix = hasUploads ? '' : below
  const added = [...media.sizes].flatMap(([path, size]) =>
    files.sizes.has(prefix + path) ? [] : [[prefix + path, size] as const],
  )
  const sizes = new Map([...files.sizes, ...added].sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    name: files.name,
    sizes,
    leftOut: [...files.leftOut, ...media.leftOut],
    open: (path) => (files.sizes.has(path) ? files.open(path) : media.open(path.slice(prefix.length))),
    async close() {
      await Promise.all([files.close(), media.close()])
    },
  }
}
