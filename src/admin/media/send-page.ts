// The page of an upload link, on which a person drops files for whoever asked for them. Nobody signs in and no cookie is read: the
// secret in the path is the key (`doors/shared/link-upload.ts`). So the page tells nothing of the site but its name.

import type { Services } from '../../actions/call/services.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { type LinkUpload, maxLinkBytes, openLinkUpload } from '../../doors/shared/link-upload.ts'
import { html as htmlReply, json, redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Handler } from '../../http/route.ts'
import { uploadPagePath } from '../../media/media-address.ts'
import { acceptedFiles } from '../../media/taken-kinds.ts'
import { formStatus } from '../failure.ts'
import { brand, document } from '../layout.ts'
import { faultBox, fileField } from '../parts/fields.ts'
import { linkTo } from '../paths.ts'
import { adminHeaders } from '../reply.ts'
import { uploadScript } from '../script.ts'
import { type Words, wordsOf } from '../words.ts'
import { sizeInWords } from './media-view.ts'
import { type SentFiles, takeSentFiles } from './take-sent.ts'

/** GET: the form, or one sentence for a link that takes nothing. */
export function showSendPage(site: Services): Handler {
  return async (request, { key = '' }) => {
    const page = { site, request, key, t: wordsOf(request) }
    const upload = await openLinkUpload(site, request, key, false)
    return refusedReply(page, upload) ?? formReply(page, upload as LinkUpload)
  }
}

/** POST: the files of the form; of its script, one file each time. */
export function takeSendPage(site: Services): Handler {
  return async (request, { key = '' }) => {
    const page = { site, request, key, t: wordsOf(request) }
    const upload = await openLinkUpload(site, request, key)
    const refused = refusedReply(page, upload)
    if (refused) return refused
    const sent = await takeSentFiles(upload as LinkUpload, page.t)
    const left = await openLinkUpload(site, request, key, false)
    if (isScript(request)) return scriptReply(page, sent, left?.link.files ?? 0)
    if (sent.faults.length === 0) return redirect(303, linkTo(request, uploadPagePath(key)), sendHeaders(page))
    return left === undefined || left.link.files === 0
      ? messageReply(page, sent.status, page.t('media.send_title'), faultsBox(page.t, sent))
      : formReply(page, left, sent)
  }
}

interface SendPage {
  readonly site: Services
  readonly request: Request
  /** The secret of the link. */
  readonly key: string
  readonly t: Words
}

const isScript = (request: Request): boolean => request.header('accept') === 'application/json'

/** The headers of the page. Anyone with its address can send files, so the address must not leak. */
const sendHeaders = ({ request }: SendPage) =>
  adminHeaders(request.scheme, { headers: { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' } })

function refusedReply(page: SendPage, upload: LinkUpload | undefined): Reply | undefined {
  const { t, request } = page
  const reply = (status: number, title: string, sentence: string): Reply =>
    isScript(request)
      ? json(status, { message: sentence }, sendHeaders(page))
      : messageReply(page, status, title, html`<p>${sentence}</p>`)
  // The link of an import takes its file from a program, or on the page of imports.
  if (!upload || upload.link.about.import === true) return reply(404, t('media.send_ended_title'), t('media.send_ended'))
  if (upload.refusal) return reply(formStatus[upload.refusal.code], t('media.send_later_title'), t('media.send_later'))
  if (upload.link.files > 0) return undefined
  // Whoever has sent the last file comes back to this page, and another form with files is refused.
  const isSending = request.method === 'POST'
  return reply(isSending ? 404 : 200, t('media.send_full_title'), t('media.send_full', { count: upload.link.taken }))
}

function scriptReply(page: SendPage, { faults, status }: SentFiles, left: number): Reply {
  const [message] = faults
  return message === undefined ? json(200, { left }, sendHeaders(page)) : json(status, { message, left }, sendHeaders(page))
}

function messageReply(page: SendPage, status: number, title: string, body: HtmlValue): Reply {
  const text = pageText(
    page,
    title,
    html`<section class="card">
      <h1>${title}</h1>
      ${body}
    </section>`,
  )
  return htmlReply(status, text, sendHeaders(page))
}

function formReply(page: SendPage, upload: LinkUpload, sent?: SentFiles): Reply {
  const { t, request, key } = page
  const { files, taken, about } = upload.link
  const size = sizeInWords(t, maxLinkBytes(upload))
  const accept = about.keep === true ? undefined : acceptedFiles
  const body = html`<section class="card">
    <h1>${t('media.send_title')}</h1>
    <p>${t('media.send_lead')}</p>
    ${sent && faultsBox(t, sent)}
    ${taken > 0 && html`<p class="notice done" role="status">${t('media.send_taken', { count: taken })}</p>`}
    <form class="upload" method="post" action="${linkTo(request, uploadPagePath(key))}" enctype="multipart/form-data">
      ${fileField({
        name: 'files',
        label: t('media.files'),
        help: t('media.send_help', { count: files, size }),
        accept,
        multiple: files > 1,
      })}
      ${
        accept !== undefined &&
        html`<div class="camera">
          ${fileField({ name: 'camera', label: t('media.send_camera'), accept: 'image/jpeg,image/png', capture: 'environment' })}
        </div>`
      }
      <p class="actions"><button class="primary">${t('media.send')}</button></p>
    </form>
    <p class="unseen" id="upload-list" data-send="${linkTo(request, uploadPagePath(key))}"></p>
  </section>`
  return htmlReply(sent?.status ?? 200, pageText(page, t('media.send_title'), body, true), sendHeaders(page))
}

const faultsBox = (t: Words, { faults, stored }: SentFiles): HtmlValue => {
  const all = faults.join(' ')
  return faultBox(stored > 0 ? t('media.stored_others', { faults: all, count: stored }) : all)
}

const pageText = ({ site, request, t }: SendPage, title: string, body: Html, hasForm = false): string =>
  document({
    t,
    base: request.basePath,
    title: `${title} – ${site.settings.values.site_title}`,
    kind: 'narrow',
    header: brand(site.settings.values.site_title),
    body,
    scripts: [hasForm && uploadScript],
  })
