// SVC_Media.begin-upload: a link for one file with `curl -T`, for an hour. The upload has the rights that its maker has then.

import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { checkFolder } from '../../media/file-name.ts'
import { hashUploadSecret, linkMs, putUploadLink } from '../../media/upload-link.ts'
import { uploadPath } from '../../media/media-address.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { newId } from '../../store/core/ids.ts'
import { type Action, action, callName } from '../call/action.ts'
import { needsApproval } from '../call/proposing.ts'
import { writeProperties } from '../call/write-answer.ts'
import { maxFileBytes } from './arrival.ts'
import { aboutProperties, upload } from './upload.ts'
import { boundedInteger, closed, flag, nonEmptyText, sha256Argument } from '../../base/schema.ts'

export const beginUpload = action('SVC_Media.begin-upload', {
  title: 'Begin the upload[ of {title}]',
  summary: 'Makes a link that takes one file within an hour: `curl -T file URL` answers the stored item.',
  did: 'began the upload[ of {title}]',
  tier: 'content',
  effect: 'act',
  failures: ['refused'],
  touches: 'media',
  batchable: false,
  secrets: ['url'],
  input: closed({
    ...aboutProperties,
    filename: nonEmptyText('What to call the file.', 1000),
    bytes: boundedInteger('Size of the file in bytes. No other size is taken.', 1, 1_073_741_824),
    sha256: sha256Argument('file'),
    keep: flag(
      'Keeps the file for an action that takes `upload_id`, such as SVC_Plugins.install, instead of storing it as media.',
    ),
  }),
  output: Type.Object({ upload_id: Type.String(), url: Type.String(), expires_at: Type.String(), ...writeProperties }),
  examples: [{ title: 'A photo of 2 MB', input: { filename: 'harbour.jpg', bytes: 2_097_152, alt: 'The harbour at dawn' } }],
  async run({ change, caller, now, origin, site }, { bytes, ...about }) {
    if (about.keep !== true && needsApproval(site.registry, caller, upload as Action, uploadCall)) throw noLinkWhileAsking()
    const maxBytes = maxFileBytes(site)
    if (bytes > maxBytes)
      throw new Failure('too_large', `A file may have at most ${maxBytes / 1024 ** 2} MiB.`, { limit: maxBytes, field: 'bytes' })
    checkFolder(about.folder ?? '')
    const id = newId(now)
    const secret = `psu_${randomBytes(32).toString('base64url')}`
    const expiresAt = now + linkMs
    await putUploadLink(
      change.db,
      caller,
      {
        id,
        hash: hashUploadSecret(secret),
        input: JSON.stringify(about),
        max_bytes: bytes,
        expires_at: expiresAt,
      },
      now,
    )
    const answered = { warnings: [], activity_id: null }
    return { upload_id: id, url: `${origin}${uploadPath}?key=${secret}`, expires_at: formatDate(expiresAt), ...answered }
  },
})

const uploadCall = { name: callName(upload), input: {}, options: {} }

/** The file would be deleted before anyone could approve its upload. */
const noLinkWhileAsking = (): Failure =>
  new Failure('refused', "Your uploads wait for an approval, and a link's file can't wait.", {
    rule: 'uploaded files are not stored as proposals',
    hint: 'Give a file of up to 700 KB to SVC_Media.upload in `base64`, or ask an admin to upload it.',
  })
