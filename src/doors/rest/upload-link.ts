// `PUT /media/_/upload?key=…`: receives one file by a link of SVC_Media.begin-upload, and answers as the upload does. The link is
// the only credential.

import type { Services } from '../../actions/call/services.ts'
import { type Admitted, findMaintenanceRefusal, runCall } from '../shared/admit.ts'
import { rateHeaders, tooManyCalls } from '../shared/call-rate.ts'
import { uploadLimits } from '../shared/read-upload.ts'
import { Failure } from '../../base/failure.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { dropIncoming, type Incoming, keepIncoming } from '../../media/incoming.ts'
import { uploadPath } from '../../media/media-address.ts'
import { findUploadLink, releaseUploadLink, type UploadLink, useUploadLink } from '../../media/upload-link.ts'
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
  const { store, clock } = site
  const use = { address: request.client, now: clock.now() }
  const link = await findUploadLink(store.read, request.query.get('key') ?? '', use)
  if (!link) return failureReply(noLink(), {})
  const caller = { ...link.caller, door: 'api' as const, address: request.client }
  const rate = site.rate.takeCall(caller)
  const headers = rateHeaders(rate)
  const admitted: Admitted = { site, request, caller, credential: { caller, presented: true }, headers }
  const refused = rate.allowed ? findMaintenanceRefusal(admitted, 'SVC_Media.upload') : tooManyCalls(rate)
  if (refused) return failureReply(refused, headers)
  if (!(await useUploadLink(store.write, link.id, clock.now()))) return failureReply(noLink(), headers)
  let kept = false
  try {
    const reply = await receive(admitted, link)
    kept = reply.status === 200
    return reply
  } catch (error) {
    if (error instanceof Failure && error.code !== 'unavailable') return failureReply(error, headers)
    throw error
  } finally {
    // A failed upload can be repeated with the same link.
    if (!kept) await releaseUploadLink(store.write, link.id)
  }
}

async function receive(admitted: Admitted, link: UploadLink): Promise<Reply> {
  const { site, request, headers } = admitted
  const home = site.config.POSTERN_HOME
  const { keep, sha256: _sha256, ...about } = link.about
  const stream = request.streamBody({ ...uploadLimits(link.bytes), maxBytes: link.bytes })
  const file = await keepIncoming(home, tooLargeInWords(stream, link.bytes), link.bytes, site.clock.now(), link.id)
  let isUsed = false
  try {
    checkPromised(file, link)
    if (keep === true) {
      isUsed = true
      const data = { upload_id: file.id, bytes: file.bytes, sha256: file.sha256 }
      return lineReply(200, jsonText({ success: true, data }), headers)
    }
    const outcome = await runCall(admitted, { name: 'SVC_Media.upload', input: { ...about, upload_id: file.id }, options: {} })
    if (!outcome.ok) return failureReply(outcome.failure, headers)
    return lineReply(200, `{"success":true,"data":${outcome.data.text}}`, headers)
  } finally {
    if (!isUsed) await dropIncoming(home, file.id)
  }
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

/** Compares a file with the promised one. @throws Failure `unprocessable` for a different file */
function checkPromised({ bytes, sha256 }: Incoming, { about, bytes: promised }: UploadLink): void {
  if (bytes !== promised)
    throw new Failure('unprocessable', `The link takes a file of ${promised} bytes, and ${bytes} arrived. Send it again.`)
  if (about.sha256 !== undefined && about.sha256.toLowerCase() !== sha256)
    throw new Failure('unprocessable', `This is not the expected file: its SHA-256 is ${sha256}. Send it again.`, {
      field: 'sha256',
      expected: about.sha256,
    })
}
