// The requests of the editor's script while a person writes: a preview, an image upload, entries to link to.

import { media } from '../../actions/media/index.ts'
import { Failure } from '../../base/failure.ts'
import { headingIdPrefix } from '../../content/markdown/heading-id.ts'
import { textIn } from './form-parts.ts'
import { findIncoming } from '../../media/incoming.ts'
import { findKind } from '../../media/inspect-file.ts'
import type { UploadedFile } from '../../doors/shared/read-upload.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { withUpload } from '../operations/upload.ts'
import { run } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { entryPurpose, readEntryForm } from './entry-form.ts'
import { findReferences, isReferenceName, mostFound } from './references.ts'
import { draftOf, previewOf } from './save-entry.ts'

/** The lifetime of the preview next to the text. */
const previewSeconds = 600

/** POST with the fields of the editor's form. Answers the path of a page that previews it. */
export async function previewDraft(visit: SignedIn): Promise<Reply> {
  const fields = await readEntryForm(visit)
  const draft = await draftOf(visit, fields.get('id'), fields)
  const { data, failure } = await previewOf(visit, draft, previewSeconds, { autosave: true })
  if (failure) return dataReply(visit, formStatus[failure.code], { message: sentenceOf(failure, visit.t) })
  return dataReply(visit, 200, {
    url: new URL(data.url).pathname,
    headings: await headingsOf(visit, textIn(draft.values, 'body')),
  })
}

/** The ids of the headings on the page, with their places in the text. None for a text that takes too long. */
async function headingsOf({ site }: SignedIn, body: string): Promise<readonly { readonly id: string; readonly start: number }[]> {
  try {
    const sections = await site.renderer.outline(body)
    return sections.map(({ id, start }) => ({ id: headingIdPrefix + id, start }))
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

/** POST with a file. Answers the path for Markdown. */
export function uploadImage(visit: SignedIn): Promise<Reply> {
  return withUpload(visit, entryPurpose, async ({ fields, files: [file] }) => {
    if (file === undefined) return dataReply(visit, 422, { message: visit.t('content.upload_missing') })
    // The bytes decide: a browser goes by the name.
    if (!(await isPicture(visit, file))) return dataReply(visit, 422, { message: visit.t('content.upload_no_picture') })
    const filename = fields.get('filename')
    const input = { upload_id: file.id, ...(filename === '' ? {} : { filename }) }
    const { data, failure } = await run(visit, media.upload, input)
    if (failure) return dataReply(visit, formStatus[failure.code], { message: sentenceOf(failure, visit.t) })
    const { path = '', kind, alt = null } = data.item
    return dataReply(visit, 200, { path, kind, alt })
  })
}

async function isPicture({ site, now }: SignedIn, { id, bytes }: UploadedFile): Promise<boolean> {
  const path = await findIncoming(site.config.POSTERN_HOME, id, now)
  return path !== undefined && (await findKind(path, bytes)).startsWith('image/')
}

/** GET; `q` has a part of a name, `kind` the kind of object (an entry by default), `of` the type or taxonomy, `most` a number. */
export async function findLinks(visit: SignedIn): Promise<Reply> {
  const { query } = visit.request
  const kind = query.get('kind') ?? 'entry'
  const words = (query.get('q') ?? '').trim().slice(0, 100)
  const of = query.get('of') || undefined
  const asked = Number(query.get('most'))
  const most = Number.isInteger(asked) && asked > 0 ? Math.min(mostFound, asked) : undefined
  const items = isReferenceName(kind) ? await findReferences(visit, kind, { words, of, most }) : []
  return dataReply(visit, 200, { items })
}
