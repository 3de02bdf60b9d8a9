// HTML from the clipboard as Markdown, for the editor. The editor sends the HTML without the bytes of its pictures, which it
// uploads itself.

import { content } from '../../actions/content/index.ts'
import { maxBodyBytes } from '../../content/entries/entry-text.ts'
import type { FromHtml } from '../../content/from-html/from-html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import { partsOf } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { readEntryForm } from './entry-form.ts'

/** The most HTML of one paste, as in the script of the editor. */
const maxPasteBytes = 1024 * 1024

/** The most footnotes of a text whose labels a paste avoids. */
const maxLabels = 1000

/**
 * POST with `html`, and in `notes` the labels of the footnotes that the text has. Answers JSON with the `markdown`, the addresses
 * of pictures `elsewhere`, and the number of `missing` pictures; or a `message`.
 */
export async function pasteHtml(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, content.create) && !mayRun(visit, content.update)) throw notYours(visit)
  const fields = await readEntryForm(visit)
  const html = fields.get('html')
  if (Buffer.byteLength(html) > maxPasteBytes) return refused(visit, 'too_large')
  const converted = await convert(visit, html, partsOf(fields.get('notes'), ' ').slice(0, maxLabels))
  if (converted instanceof Failure) return refused(visit, converted.code)
  if (converted === undefined) return refused(visit, 'unprocessable')
  if (Buffer.byteLength(converted.markdown) > maxBodyBytes) return refused(visit, 'too_large')
  return dataReply(visit, 200, { ...converted })
}

async function convert(visit: SignedIn, html: string, takenNotes: readonly string[]): Promise<FromHtml | Failure | undefined> {
  const { site, request } = visit
  try {
    return await site.renderer.fromHtml(html, { origin: baseOf(request), pictures: 'own', takenNotes })
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function refused({ t, ...visit }: SignedIn, code: Failure['code']): Reply {
  const message = t(
    code === 'too_large' ? 'content.paste_large' : code === 'unavailable' ? 'content.paste_busy' : 'content.paste_hard',
  )
  return dataReply({ t, ...visit }, formStatus[code], { message })
}
