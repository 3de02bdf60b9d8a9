// What somebody switched on and may have forgotten: an old release, maintenance, a plugin that was taken out.

import { ok, warning } from '../../doctor/finding.ts'
import type { Check } from './check.ts'

export const releaseCheck: Check = {
  id: 'release',
  run: async ({ release }) =>
    release.name === '1'
      ? ok('The site shows its own behaviour, that of release 1.')
      : warning(
          `The site shows the behaviour of release ${release.name}, defects included. It is meant for testing clients.`,
          'Unset POSTERN_COMPAT and start the site anew.',
        ),
}

export const maintenanceCheck: Check = {
  id: 'maintenance',
  async run({ maintenance }) {
    const closed = maintenance.now()
    if (!closed) return ok('The site is open.')
    const until = closed.until === null ? '' : ` until ${new Date(closed.until).toISOString()}`
    const fix = closed.byFile ? 'Take the file MAINTENANCE out of the home.' : 'SVC_Settings.maintenance {"on": false}'
    return warning(`Maintenance is on${until}: visitors, apps and scripts are kept out.`, fix)
  },
}

export const pluginsCheck: Check = {
  id: 'plugins',
  async run({ plugins: { quarantined: out } }) {
    if (out.length === 0) return ok('No plugin is in quarantine.')
    const told = out.map(({ id, reason }) => (reason === null ? id : `${id} (${reason})`)).join(', ')
    const calls = out.map(({ id, may }) => `SVC_Plugins.activate ${JSON.stringify(may.length === 0 ? { id } : { id, may })}`)
    return warning(`In quarantine, since it failed: ${told}.`, `Update it, then ${calls.join('; ')}`)
  },
}
