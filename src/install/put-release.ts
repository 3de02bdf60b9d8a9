// The step that puts a release beside the others, for an install and an upgrade alike.

import { paths, type Places } from './places.ts'
import { copyRelease, type Source } from './release-files.ts'
import { dropDrafts, dropRelease, findCurrent, listReleases } from './releases.ts'
import type { Step } from './step.ts'

/** Puts a release in its folder; one that is there by that name is that release. */
export function putRelease(places: Places, source: Source): Step {
  let mine = false
  return {
    what: `Puts the release into ${paths.releases}/${source.name}`,
    async run() {
      await dropDrafts(places)
      if ((await listReleases(places)).includes(source.name)) return
      mine = true
      await copyRelease(source, places.at(paths.releases))
    },
    undo: {
      what: `Takes ${paths.releases}/${source.name} away again`,
      async run() {
        // Where the way back failed, it is still the one that starts.
        if (mine && (await findCurrent(places)) !== source.name) await dropRelease(places, source.name)
      },
    },
  }
}
