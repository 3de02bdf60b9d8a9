import { Type } from 'typebox'
import { formatDate } from '../../settings/time-zone.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { themeMark, zipOf } from '../../themes/theme-zip.ts'
import { getTheme } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { beforeReading, idProperty } from './item.ts'

export const exportTheme = action('SVC_Themes.export', {
  title: 'Download a theme',
  summary: 'Answers a link to a theme as a zip, for an hour. SVC_Themes.create takes the zip back.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({
    id: Type.String(),
    url: Type.String({ description: 'Works without a token, while your access lasts.' }),
    filename: Type.String(),
    bytes: Type.Integer(),
    expires_at: Type.String(),
  }),
  examples: [{ title: 'A theme to take along', input: { id: 'default' } }],
  prepare: beforeReading,
  async run({ db, site, origin, caller, now }, { id }) {
    const theme = await getTheme(db, id)
    const filename = `${theme.slug}.zip`
    const until = now + signedMs
    const { length: bytes } = await zipOf(theme)
    const path = signedPath(site.key, { id: `${themeMark}${theme.slug}`, filename }, until, caller)
    return { id: theme.slug, url: `${origin}${path}`, filename, bytes, expires_at: formatDate(until) }
  },
})
