// Uploads by a link of SVC_Media.begin-upload, which is their only credential: from the link to the call of its maker. `doors/rest`
// takes a file from a program, and a page of the admin takes files from a person.

import type { Outcome } from '../../actions/call/call.ts'
import type { Services } from '../../actions/call/services.ts'
import { maxFileBytes } from '../../actions/media/arrival.ts'
import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Request } from '../../http/request.ts'
import type { Incoming } from '../../media/incoming.ts'
import { findUploadLink, givePlace, noteArrived, takePlace, type UploadLink } from '../../media/upload-link.ts'
import { type Admitted, findMaintenanceRefusal, runCall } from './admit.ts'
import { rateHeaders, tooManyCalls } from './call-rate.ts'

/** A request with an upload link, as a request of the link's maker. */
export interface LinkUpload extends Admitted {
  readonly link: UploadLink
  /** Why the maker may send nothing now: the rate limit, or maintenance. */
  readonly refusal: Failure | undefined
}

/**
 * Opens the link of a request; undefined if there is none, or if it has ended.
 * @param counts true for a request that sends a file, which counts as a call of the link's maker
 */
export async function openLinkUpload(
  site: Services,
  request: Request,
  secret: string,
  counts = true,
): Promise<LinkUpload | undefined> {
  const link = await findUploadLink(site.store.read, secret, { address: request.client, now: site.clock.now() })
  if (!link) return undefined
  const caller = { ...link.caller, door: 'api' as const, address: request.client }
  const rate = counts ? site.rate.takeCall(caller) : undefined
  const admitted = { site, request, caller, credential: { caller, presented: true }, headers: rate ? rateHeaders(rate) : {} }
  const refusal = rate?.allowed === false ? tooManyCalls(rate) : findMaintenanceRefusal(admitted, 'SVC_Media.upload')
  return { ...admitted, link, refusal }
}

/** The largest file that a link takes, in bytes. */
export const maxLinkBytes = ({ site, link }: LinkUpload): number =>
  link.promised ?? (link.about.import === true ? link.bytes : Math.min(link.bytes, maxFileBytes(site)))

/** Compares a file with the promised one. @throws Failure `unprocessable` for a different file */
export function checkPromised({ bytes, sha256 }: Incoming, { about, promised }: UploadLink): void {
  if (promised !== undefined && bytes !== promised)
    throw new Failure('unprocessable', `The link takes a file of ${promised} bytes, and ${bytes} arrived. Send it again.`)
  if (about.sha256 !== undefined && about.sha256.toLowerCase() !== sha256)
    throw new Failure('unprocessable', `This is not the expected file: its SHA-256 is ${sha256}. Send it again.`, {
      field: 'sha256',
      expected: about.sha256,
    })
}

/** Stores a file that has arrived as the upload of the link's maker, and notes it for them. */
export async function storeByLink(upload: LinkUpload, { id, filename }: { readonly id: string; readonly filename: string }) {
  const { site, link } = upload
  const { keep: _keep, sha256: _sha256, open: _open, ...about } = link.about
  const named = { ...(filename !== '' && { filename }), ...about }
  const outcome = await runCall(upload, { name: 'SVC_Media.upload', input: { ...named, upload_id: id }, options: {} })
  const stored = storedId(outcome)
  if (stored !== undefined)
    await noteArrived(site.store.write, link.id, { id: stored, filename: filename || about.filename || '' })
  return outcome
}

function storedId(outcome: Outcome): string | undefined {
  const data = outcome.ok ? outcome.data.parse() : undefined
  const item = isObject(data) ? data['item'] : undefined
  return isObject(item) && typeof item['id'] === 'string' ? item['id'] : undefined
}

/**
 * Runs work that uses a link's room for one file. Other uploads can't use the room meanwhile, and it becomes free again if nothing
 * was stored.
 * @param work answers true if it has stored the file
 * @returns false if the link has no room for the file
 */
export async function inPlace(
  { site: { store, clock }, link }: LinkUpload,
  bytes: number,
  work: () => Promise<boolean>,
): Promise<boolean> {
  if (!(await takePlace(store.write, link.id, bytes, clock.now()))) return false
  let isStored = false
  try {
    isStored = await work()
  } finally {
    if (!isStored) await givePlace(store.write, link.id, bytes)
  }
  return true
}

/** The number of forms that arrive by each link in this process. */
const arriving = new Map<string, number>()
const maxArriving = 4

/** Receives a form by a link. @throws HttpFailure `unavailable` while many others arrive by it (attack 157) */
export async function whileArriving<T>(link: UploadLink, receive: () => Promise<T>): Promise<T> {
  const others = arriving.get(link.id) ?? 0
  if (others >= maxArriving)
    throw new HttpFailure('unavailable', 'Other files arrive by this link at the moment. Try again soon.')
  arriving.set(link.id, others + 1)
  try {
    return await receive()
  } finally {
    const left = (arriving.get(link.id) ?? 1) - 1
    if (left > 0) arriving.set(link.id, left)
    else arriving.delete(link.id)
  }
}
