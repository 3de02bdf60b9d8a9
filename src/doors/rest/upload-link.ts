// `PUT /media/_/upload?key=…`: receives one file by a link of SVC_Media.begin-upload, and answers as the upload does. The link is
// the only credential.

import type { Services } from '../../actions/call/services.ts'
import { checkPromised, inPlace, type LinkUpload, maxLinkBytes, openLinkUpload, storeByLink } from '../shared/link-upload.ts'
import { uploadLimits } from '../shared/read-upload.ts'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { dropStaged, keepStaged } from '../../imports/staged-imports.ts'
import { dropIncoming, keepIncoming } from '../../media/incoming.ts'
import { uploadPath } from '../../media/media-address.ts'
import { jsonText } from '../../base/json.ts'
import { failureReply } from './failure.ts'
import { lineReply } from './line-reply.ts'

/** The route of uploads by link. */
export const uploadRoute = (site: Services): Route => ({
  path: uploadPath,
  slash: 'exact',
  letterCase: 'exact',
  methods: { PUT: (request) => take(site, request) },
  door: 'api',
})

const noLink = (): Failure =>
  new Failure(
    'not_found',
    'This upload link is not valid: it was used, an hour has passed, or its maker may not upload from here any more.',
    {
      id: 'key',
      hint: 'SVC_Media.begin-upload makes a new one.',
    },
  )

async function take(site: Services, request: Request): Promise<Reply> {
  const upload = await openLinkUpload(site, request, request.query.get('key') ?? '')
  if (!upload || !takesOne(upload)) return failureReply(noLink(), {})
  const { refusal, headers } = upload
  if (refusal) return failureReply(refusal, headers)
  let reply = failureReply(noLink(), headers)
  try {
    // A failed upload can be repeated with the same link.
    await inPlace(upload, maxLinkBytes(upload), async () => {
      reply = await receive(upload)
      return reply.status === 200
    })
    return reply
  } catch (error) {
    if (error instanceof Failure && error.code !== 'unavailable') return failureReply(error, headers)
    throw error
  }
}

/** True for an unused link for one file. A link for several has a page only. */
const takesOne = ({ link }: LinkUpload): boolean => link.files === 1 && link.taken === 0

async function receive(upload: LinkUpload): Promise<Reply> {
  const { site, request, headers, link } = upload
  const home = site.config.POSTERN_HOME
  const maxBytes = maxLinkBytes(upload)
  const stream = request.streamBody({ ...uploadLimits(maxBytes), maxBytes })
  if (link.about.import === true) return receiveImport(upload, tooLargeInWords(stream, maxBytes))
  const file = await keepIncoming(home, tooLargeInWords(stream, maxBytes), maxBytes, site.clock.now(), link.id)
  let isUsed = false
  try {
    checkPromised(file, link)
    if (link.about.keep === true) {
      isUsed = true
      const data = { upload_id: file.id, bytes: file.bytes, sha256: file.sha256 }
      return lineReply(200, jsonText({ success: true, data }), headers)
    }
    const outcome = await storeByLink(upload, { id: file.id, filename: '' })
    if (!outcome.ok) return failureReply(outcome.failure, headers)
    return lineReply(200, `{"success":true,"data":${outcome.data.text}}`, headers)
  } finally {
    if (!isUsed) await dropIncoming(home, file.id)
  }
}

/** Stores the file of an import. Only its call reads it. */
async function receiveImport({ site, headers, link }: LinkUpload, stream: AsyncIterable<Uint8Array>): Promise<Reply> {
  const home = site.config.POSTERN_HOME
  const file = { id: link.id, filename: link.about.filename ?? '', now: site.clock.now() }
  const { bytes } = await keepStaged(home, stream, file)
  if (link.promised !== undefined && bytes !== link.promised) {
    await dropStaged(home, link.id)
    throw new Failure('unprocessable', `The link takes a file of ${link.promised} bytes, and ${bytes} arrived. Send it again.`)
  }
  return lineReply(200, jsonText({ success: true, data: { file: link.id, bytes } }), headers)
}

async function* tooLargeInWords(stream: AsyncIterable<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.code !== 'too_large') throw error
    throw new Failure(
      'too_large',
      `The link takes a file of ${bytes} bytes, and this one is larger.`,
      { limit: bytes },
      { cause: error },
    )
  }
}
