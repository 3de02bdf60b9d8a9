// SVC_Export.run: a link to a download of the site. The download is made while it is fetched, so that nothing is kept of it.

import { Type } from 'typebox'
import {
  downloadOf,
  type ExportArchive,
  exportArchives,
  exportFormats,
  type ExportFormat,
  isOneFile,
} from '../../exports/formats.ts'
import { exportId } from '../../exports/link.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { includesTier } from '../../identity/caller.ts'
import { action } from '../call/action.ts'

const names = Object.keys(exportFormats) as ExportFormat[]
const archives = Object.keys(exportArchives) as ExportArchive[]

export const run = action('SVC_Export.run', {
  title: 'Download the site',
  summary:
    'Answers a link to a download of the site, for an hour: as files, as Markdown, as a table, for WordPress, or as static pages.',
  tier: 'read',
  effect: 'read',
  failures: ['refused'],
  input: closed({
    format: Type.Enum(names, {
      description: `${names.map((name) => `\`${name}\`: ${exportFormats[name].help}`).join('; ')}. \`postern\` needs the tier admin.`,
    }),
    archive: Type.Optional(
      Type.Enum(archives, {
        description: 'For formats of many files: `zip`, or `tar`, which `curl URL | tar x` unpacks. The default is `zip`.',
      }),
    ),
  }),
  output: Type.Object({
    url: Type.String({ description: 'Works without a token, while your access lasts.' }),
    filename: Type.String(),
    entries: Type.Integer({ description: 'Number of entries outside the trash.' }),
    media: Type.Integer({ description: 'Number of files in the media library.' }),
    media_bytes: Type.Integer(),
    expires_at: Type.String(),
  }),
  examples: [
    { title: 'Texts and pictures', input: { format: 'markdown' } },
    { title: 'For WordPress', input: { format: 'wxr' } },
  ],
  async run({ db, site, origin, caller, now }, { format, archive }) {
    const { tier } = exportFormats[format]
    if (!includesTier(caller.tier, tier))
      throw new Failure('refused', `The format \`${format}\` holds settings and themes, so it needs the tier ${tier}.`, {
        field: 'format',
        rule: 'who may not read something may not export it',
        hint: '`markdown` has the entries and the media library.',
      })
    if (archive !== undefined && isOneFile(format))
      throw invalid('archive', `The format \`${format}\` is one file, so it comes in no archive.`, 'no `archive`')
    const asked = { format, archive: archive ?? 'zip', tier: caller.tier } as const
    const { filename } = downloadOf(format, asked.archive)
    const until = now + signedMs
    const path = signedPath(site.key, { id: exportId(asked), filename }, until, caller)
    const { entries } = await db
      .selectFrom('entry')
      .select((eb) => eb.fn.countAll<number | string>().as('entries'))
      .where('status', '!=', 'trash')
      .executeTakeFirstOrThrow()
    const { media, bytes } = await db
      .selectFrom('media')
      .select((eb) => [eb.fn.countAll<number | string>().as('media'), eb.fn.sum<number | string | null>('bytes').as('bytes')])
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return {
      url: `${origin}${path}`,
      filename,
      entries: Number(entries),
      media: Number(media),
      media_bytes: Number(bytes ?? 0),
      expires_at: formatDate(until),
    }
  },
})
