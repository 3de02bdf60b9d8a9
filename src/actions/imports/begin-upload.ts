// SVC_Import.begin-upload: a link of its own kind, for the file of an import. The file is kept for a week and is no media.

import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { boundedInteger, closed, nonEmptyText } from '../../base/schema.ts'
import { maxStagedBytes } from '../../imports/staged-imports.ts'
import { uploadPath } from '../../media/media-address.ts'
import { hashUploadSecret, linkMs, putUploadLink } from '../../media/upload-link.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { newId } from '../../store/core/ids.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'

export const beginUpload = action('SVC_Import.begin-upload', {
  title: 'Begin the upload of an import',
  summary: 'Makes a link for an hour, to which `curl -T export.xml URL` sends the file of an import.',
  did: 'began the upload of an import',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  batchable: false,
  secrets: ['url'],
  input: closed({
    filename: nonEmptyText('Its name, such as `export.xml` or `site.zip`.', 200),
    bytes: Type.Optional(boundedInteger('Size of the file in bytes. No other size is taken.', 1, maxStagedBytes)),
  }),
  output: Type.Object({
    url: Type.String({ description: 'For `curl -T FILE URL`, which answers `file`.' }),
    file: Type.String({
      description: 'For SVC_Import.inspect and SVC_Import.run, once the file has come. It is kept for a week.',
    }),
    max_bytes: Type.Integer({ description: 'For larger files: `postern import` on the machine.' }),
    expires_at: Type.String(),
    ...writeProperties,
  }),
  examples: [{ title: 'An export of WordPress', input: { filename: 'export.xml' } }],
  async run({ change, caller, now, origin }, { filename, bytes }) {
    const id = newId(now)
    const secret = `psu_${randomBytes(32).toString('base64url')}`
    const input = JSON.stringify({ filename, import: true, ...(bytes === undefined && { open: true }) })
    const maxBytes = bytes ?? maxStagedBytes
    const link = { id, hash: hashUploadSecret(secret), input, max_files: 1, max_bytes: maxBytes, expires_at: now + linkMs }
    await putUploadLink(change.db, caller, link, now)
    return {
      url: `${origin}${uploadPath}?key=${secret}`,
      file: id,
      max_bytes: maxBytes,
      expires_at: formatDate(now + linkMs),
      warnings: [],
      activity_id: null,
    }
  },
})
