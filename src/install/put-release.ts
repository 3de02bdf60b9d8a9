// The step that copies a release into the folder of releases. Installs and upgrades use it.

import { paths, type Places } from './places.ts'
import { copyRelease, type Source } from './release-files.ts'
import { dropDrafts, dropRelease, findCurrent, listReleases } from './releases.ts'
import type { Step } from './step.ts'

/** Copies a release into a folder of its name. If the folder exists, it already has this release. */
export function putRelease(places: Places, source: Source): Step {
  let mine = false
  return {
    what: `Copies the release to ${paths.releases}/${source.name}`,
    async run() {
      await dropDrafts(places)
      if ((await listReleases(places)).includes(source.name)) return
      mine = true
      await copyRelease(source, places.at(paths.releases))
    },
    undo: {
      what: `Removes ${paths.releases}/${source.name}`,
      async run() {
        // If going back failed, this release is still the current one.
        if (mine && (await findCurrent(places)) !== source.name) await dropRelease(places, source.name)
      },
    },
  }
}
