// SVC_Media.begin-upload: a link for an hour. A program sends one file with `curl -T`, or a person drops files on the page of the
// link. The uploads have the rights that its maker has then.

import { randomBytes } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import { limitsOf } from '../../identity/caller.ts'
import { checkFolder } from '../../media/file-name.ts'
import { hashUploadSecret, linkMs, maxLinkFiles, putUploadLink } from '../../media/upload-link.ts'
import { uploadPagePath, uploadPath } from '../../media/media-address.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { newId } from '../../store/core/ids.ts'
import { type Action, action, callName } from '../call/action.ts'
import { needsApproval } from '../call/proposing.ts'
import { nullable, writeProperties } from '../call/write-answer.ts'
import type { SettingsServices } from '../call/services.ts'
import { maxFileBytes } from './arrival.ts'
import { aboutProperties, upload } from './upload.ts'
import { boundedInteger, closed, flag, nonEmptyText, sha256Argument } from '../../base/schema.ts'

/** The most bytes that one link takes, whatever the number of its files. */
const maxBytesTogether = 1_073_741_824
/** The number of files of a page for which nothing else was asked. */
const usualFiles = 20

const input = closed({
  ...aboutProperties,
  filename: Type.Optional(nonEmptyText('What to call the file. The default is its name at the sender.', 1000)),
  bytes: Type.Optional(
    boundedInteger('Size of the file in bytes. No other size is taken. Leave it out if you do not know it.', 1, maxBytesTogether),
  ),
  files: Type.Optional(
    boundedInteger(
      `How many files a person may drop on \`page\`; ${usualFiles} by default, and 1 with an argument about one file.`,
      1,
      maxLinkFiles,
    ),
  ),
  sha256: sha256Argument('file'),
  keep: flag('Keeps the file for an action that takes `upload_id`, such as SVC_Plugins.install, instead of storing it as media.'),
})

export const beginUpload = action('SVC_Media.begin-upload', {
  title: 'Begin the upload[ of {title}]',
  summary:
    'Makes links for an hour: a person drops files on `page`; with `filename`, `curl -T file URL` sends one. Nobody signs in.',
  did: 'began the upload[ of {title}]',
  tier: 'content',
  effect: 'act',
  failures: ['refused'],
  touches: 'media',
  batchable: false,
  secrets: ['url', 'page'],
  input,
  output: Type.Object({
    upload_id: Type.String({ description: 'For SVC_Media.uploads, which tells which files came.' }),
    url: nullable(Type.String(), 'For `curl -T file URL`, which answers the stored file; null where several may come.'),
    page: Type.String({ description: 'Give it to a person who has the files, and to nobody else.' }),
    files: Type.Integer({ description: 'How many files the link takes.' }),
    expires_at: Type.String(),
    ...writeProperties,
  }),
  examples: [
    { title: 'A page for photos that a person has', input: { folder: 'harbour' } },
    { title: 'A photo of 2 MB', input: { filename: 'harbour.jpg', bytes: 2_097_152, alt: 'The harbour at dawn' } },
  ],
  async run({ change, caller, now, origin, site }, asked) {
    if (asked.keep !== true && needsApproval(site.registry, caller, upload as Action, uploadCall)) throw noLinkWhileAsking()
    const { files, maxBytes } = roomOf(site, asked)
    checkFolder(asked.folder ?? '')
    const { bytes, files: _files, ...about } = asked
    const id = newId(now)
    const secret = `psu_${randomBytes(32).toString('base64url')}`
    const expiresAt = now + linkMs
    await putUploadLink(
      change.db,
      caller,
      {
        id,
        hash: hashUploadSecret(secret),
        input: JSON.stringify({ ...about, ...(bytes === undefined && { open: true }) }),
        max_files: files,
        max_bytes: maxBytes,
        expires_at: expiresAt,
      },
      now,
    )
    const isBound = limitsOf(caller).some(({ addresses }) => addresses !== undefined)
    return {
      upload_id: id,
      url: files === 1 ? `${origin}${uploadPath}?key=${secret}` : null,
      page: origin + uploadPagePath(secret),
      files,
      expires_at: formatDate(expiresAt),
      warnings: isBound ? [boundWarning] : [],
      activity_id: null,
    }
  },
})

/** The arguments about one file, by which a link is for one. */
const ofOneFile = ['filename', 'bytes', 'sha256', 'keep', 'alt', 'caption'] as const

/** The number and the bytes of the files that a link takes. @throws Failure `too_large`, `invalid` */
function roomOf(site: SettingsServices, asked: Static<typeof input>) {
  const one = ofOneFile.find((name) => asked[name] !== undefined)
  const files = asked.files ?? (one === undefined ? usualFiles : 1)
  if (files > 1 && one !== undefined)
    throw invalid(
      'files',
      `"${one}" is about one file, and this link is for ${files}. Leave "${one}" out, or ask for one file.`,
      1,
    )
  const limit = maxFileBytes(site)
  if (asked.bytes !== undefined && asked.bytes > limit)
    throw new Failure('too_large', `A file may have at most ${limit / 1024 ** 2} MiB.`, { limit, field: 'bytes' })
  return { files, maxBytes: asked.bytes ?? Math.min(files * limit, maxBytesTogether) }
}

const uploadCall = { name: callName(upload), input: {}, options: {} }

/** The link works from the addresses alone to which its maker is limited, like every link (attack 159). */
const boundWarning = {
  code: 'bound_to_addresses',
  message: 'Your token is limited to some network addresses, so the link works from those alone, for a person too.',
}

/** The file would be deleted before anyone could approve its upload. */
const noLinkWhileAsking = (): Failure =>
  new Failure('refused', "Your uploads wait for an approval, and a link's file can't wait.", {
    rule: 'uploaded files are not stored as proposals',
    hint: 'Give a file of up to 700 KB to SVC_Media.upload in `base64`, or ask an admin to upload it.',
  })
