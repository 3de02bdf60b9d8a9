// The picture picker sends here which part of a picture matters, and the shape that it should have.

import { media } from '../../actions/media/index.ts'
import type { Reply } from '../../http/reply.ts'
import { entryPurpose } from '../content/entry-form.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { readFields } from '../form.ts'
import { run } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/**
 * POST; `id` names the picture, `x` and `y` have its focus, `alt` its description. With a `shape`, the answer names a new
 * picture.
 */
export async function framePicture(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, entryPurpose)
  const id = fields.get('id')
  const focus = fields.has('x') ? { focus: { x: Number(fields.get('x')), y: Number(fields.get('y')) } } : {}
  const shape = fields.get('shape')
  const about = { ...(fields.has('alt') && { alt: fields.get('alt') }), ...(shape === '' && focus) }
  const said = Object.keys(about).length === 0 ? undefined : await run(visit, media.update, { id, ...about })
  const made = shape === '' || said?.failure ? said : await run(visit, media.crop, { id, shape, ...focus })
  if (!made) return dataReply(visit, 200, { path: id })
  const { data, failure } = made
  if (failure) return dataReply(visit, formStatus[failure.code], { message: sentenceOf(failure, visit.t) })
  return dataReply(visit, 200, { path: data.item.path ?? data.item.id })
}
