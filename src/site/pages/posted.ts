// A POST to the path of a page. Its field `do` says which form was sent; the form of a page with a password has none.

import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Services } from '../../actions/call/services.ts'
import { takeComment } from '../comments/take-comment.ts'
import { findClosed } from './closed-page.ts'
import { readFormFields } from './form-fields.ts'
import { takeForm } from './form-post.ts'
import { takePassword } from './locked-page.ts'
import { takeSignUp } from './newsletter-post.ts'
import { withFiles } from './read-files.ts'

/** Takes a form. It returns undefined if no page at the path has such a form. */
type FormTaker = (site: Services, request: Request, fields: URLSearchParams) => Promise<Reply | undefined>

/** The forms by their field `do`. */
const takers: Readonly<Record<string, FormTaker>> = {
  '': takePassword,
  comment: takeComment,
  form: takeForm,
  newsletter: takeSignUp,
}

/** The largest form. One with texts that are too long comes back with a sentence and all that was typed. */
const maxFormBytes = 2 * 1024 ** 2

/** @throws HttpFailure `wrong_method` at every path without such a form */
export async function answerPost(site: Services, request: Request): Promise<Reply> {
  const closed = findClosed(site, request)
  if (closed) return closed
  const reply =
    (await withFiles(site, request, maxFormBytes, (form) => takeForm(site, request, form.fields, form))) ??
    (await takeTexts(site, request))
  if (reply) return reply
  throw new HttpFailure('wrong_method', 'This address does not accept POST. Use GET, HEAD.', { allow: 'GET, HEAD' })
}

async function takeTexts(site: Services, request: Request): Promise<Reply | undefined> {
  const fields = await readFormFields(request, maxFormBytes)
  const name = fields.get('do') ?? ''
  return Object.hasOwn(takers, name) ? takers[name]?.(site, request, fields) : undefined
}
