// Takes the files that a person has sent on the page of an upload link (`send-page.ts`). A file that is refused costs itself alone:
// each has one sentence, and the others are stored.

import { type Code, Failure } from '../../base/failure.ts'
import {
  checkPromised,
  inPlace,
  type LinkUpload,
  maxLinkBytes,
  storeByLink,
  whileArriving,
} from '../../doors/shared/link-upload.ts'
import { tooManyCalls } from '../../doors/shared/call-rate.ts'
import { readUploadedForm, type UploadedFile, type UploadedForm } from '../../doors/shared/read-upload.ts'
import { HttpFailure } from '../../http/failure.ts'
import { maxLinkFiles } from '../../media/upload-link.ts'
import { dropIncoming, renameIncoming } from '../../media/incoming.ts'
import { formStatus } from '../failure.ts'
import type { MessageKey, Words } from '../words.ts'
import { sizeInWords } from './media-view.ts'

/** The result of a form with files. */
export interface SentFiles {
  /** The number of stored files. */
  readonly stored: number
  /** One sentence per refused file, with its name. */
  readonly faults: readonly string[]
  /** The status of the first fault; 200 without one. */
  readonly status: number
}

/** Takes the files of a request. @throws HttpFailure `client_left` */
export async function takeSentFiles(upload: LinkUpload, t: Words): Promise<SentFiles> {
  const { site, request, link } = upload
  const home = site.config.POSTERN_HOME
  const where = {
    home,
    now: site.clock.now(),
    maxBytes: maxLinkBytes(upload),
    // One field of the form may be empty. The link itself counts the files that are stored.
    maxFiles: maxLinkFiles + 1,
    maxBytesTogether: link.bytes,
    leavesOut: true,
  }
  try {
    return await whileArriving(link, async () => {
      const form = await readUploadedForm(request, where)
      try {
        return await storeAll(upload, form, t)
      } finally {
        for (const { id } of form.files) await dropIncoming(home, id)
      }
    })
  } catch (error) {
    if (error instanceof HttpFailure && error.code !== 'client_left') return failed(error.message, error.status)
    // A file could not be written.
    if (error instanceof Failure) return failed(t('media.send_later'), formStatus[error.code])
    throw error
  }
}

const failed = (sentence: string, status: number): SentFiles => ({ stored: 0, faults: [sentence], status })

async function storeAll(upload: LinkUpload, { files, tooLarge, tooMany }: UploadedForm, t: Words): Promise<SentFiles> {
  if (files.length + tooLarge.length === 0) return failed(t('media.choose_file'), 422)
  const size = sizeInWords(t, maxLinkBytes(upload))
  const faults = tooLarge.map((name) => ({ sentence: t('media.send_too_large', { name, size }), status: 413 }))
  let stored = 0
  for (const [index, file] of files.entries()) {
    // The request itself counts as the call for its first file.
    const rate = index === 0 ? undefined : upload.site.rate.takeCall(upload.caller)
    const fault = rate?.allowed === false ? faultOf(file, tooManyCalls(rate), t) : await storeOne(upload, file, t)
    if (fault) faults.push(fault)
    else stored += 1
  }
  if (tooMany) faults.push({ sentence: t('media.send_too_many'), status: 413 })
  return { stored, faults: faults.map(({ sentence }) => sentence), status: faults[0]?.status ?? 200 }
}

interface Fault {
  readonly sentence: string
  readonly status: number
}

async function storeOne(upload: LinkUpload, file: UploadedFile, t: Words): Promise<Fault | undefined> {
  let failure: Failure | undefined
  const hadRoom = await inPlace(upload, file.bytes, async () => {
    failure = await store(upload, file)
    return failure === undefined
  })
  if (failure) return faultOf(file, failure, t)
  return hadRoom ? undefined : { sentence: t('media.send_no_room', { name: file.filename }), status: 413 }
}

/** Stores a file, or keeps it for a later call. @returns the failure */
async function store(upload: LinkUpload, file: UploadedFile): Promise<Failure | undefined> {
  const { site, link } = upload
  try {
    checkPromised(file, link)
    if (link.about.keep === true) {
      await renameIncoming(site.config.POSTERN_HOME, file.id, link.id)
      return undefined
    }
    const outcome = await storeByLink(upload, file)
    return outcome.ok ? undefined : outcome.failure
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** The failures that tell of the link's maker or of the machine, which is not for the person who sends a file. */
const ownWords: Partial<Record<Code, MessageKey>> = {
  refused: 'media.send_refused',
  unknown_action: 'media.send_refused',
  rate_limited: 'media.send_later',
  unavailable: 'media.send_later',
}

function faultOf({ filename: name }: UploadedFile, { code, message }: Failure, t: Words): Fault {
  const key = ownWords[code]
  return { sentence: key ? t(key, { name }) : `${name}: ${t.said(message)}`, status: formStatus[code] }
}
