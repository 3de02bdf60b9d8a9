// Checks for switches that may have been forgotten: an old release profile, maintenance, a plugin in quarantine.

import { ok, warning } from '../../doctor/finding.ts'
import { publishedOnly } from '../../content/entries/entry.ts'
import { publicNames } from '../../content/entries/reserved-slugs.ts'
import type { Check } from './health-check.ts'

export const releaseCheck: Check = {
  id: 'release',
  run: async ({ release }) =>
    release.name === '1'
      ? ok('The site runs with the behaviour of release 1.')
      : warning(
          `The site runs with the behaviour of release ${release.name}, including its defects. This is meant for testing clients.`,
          'Unset POSTERN_COMPAT, then: systemctl restart postern',
        ),
}

export const maintenanceCheck: Check = {
  id: 'maintenance',
  async run({ maintenance }) {
    const closed = maintenance.now()
    if (!closed) return ok('The site is open.')
    const until = closed.until === null ? '' : ` until ${new Date(closed.until).toISOString()}`
    const fix = closed.byFile ? 'Delete the file MAINTENANCE in the home.' : 'SVC_Settings.maintenance {"on": false}'
    return warning(`Maintenance is on${until}: visitors, apps and scripts are kept out.`, fix)
  },
}

/** A source of scripts can change the pages that load them. */
export const sourcesCheck: Check = {
  id: 'sources',
  async run({ settings }) {
    const sources = settings.values.allowed_sources
    if (sources.length === 0) return ok('Pages load scripts and styles from the site alone.')
    return warning(
      `Pages may load scripts, styles and frames from ${sources.join(', ')}. Anyone who runs these sites can change your pages.`,
      'SVC_Settings.update {"set": {"allowed_sources": null}}, if you no longer need them',
    )
  },
}

/** An entry that existed before its path was reserved hides the site's own page at that path. */
export const pathsCheck: Check = {
  id: 'paths',
  async run({ store, clock }) {
    const rows = await store.read
      .selectFrom('entry')
      .select(['title', 'path'])
      .where(
        'path',
        'in',
        publicNames.map((name) => `/${name}`),
      )
      .where((eb) => publishedOnly(eb, clock.now()))
      .orderBy('path')
      .execute()
    if (rows.length === 0) return ok('No entry has a path that the site uses itself.')
    const named = rows.map(({ title, path }) => `${JSON.stringify(title)} at ${path}`).join(', ')
    return warning(
      `${named}: visitors get the entry instead of the page that the site now has there.`,
      `SVC_Content.update ${JSON.stringify({ id: rows[0]?.path, slug: 'another-slug' })}`,
    )
  },
}

export const themeCheck: Check = {
  id: 'theme',
  async run({ themes: { failure } }) {
    if (!failure) return ok('Pages are shown in the active theme.')
    const { slug, template, problems } = failure
    const [first] = problems
    const place = first?.file ? ` (${first.file}${first.line === null ? '' : `, line ${first.line}`})` : ''
    return warning(
      `The theme ${slug} could not show a page of the kind ${template}${place}: ${first?.message ?? 'it failed'}. Visitors see the last good page.`,
      `SVC_Themes.check ${JSON.stringify({ id: slug })}`,
    )
  },
}

export const pluginsCheck: Check = {
  id: 'plugins',
  async run({ plugins: { quarantined: out } }) {
    if (out.length === 0) return ok('No plugin is in quarantine.')
    const named = out.map(({ id, reason }) => (reason === null ? id : `${id} (${reason})`)).join(', ')
    const calls = out.map(({ id, may }) => `SVC_Plugins.activate ${JSON.stringify(may.length === 0 ? { id } : { id, may })}`)
    return warning(`In quarantine after failures: ${named}.`, `Update it, then ${calls.join('; ')}`)
  },
}
