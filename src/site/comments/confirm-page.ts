// The page behind a mailed link that confirms a comment. Opening it changes nothing, because mail programs open links by
// themselves: only its form does.

import { confirmComment, type Confirmed, confirmPath, findLinked } from '../../actions/comments/confirmation.ts'
import type { Services } from '../../actions/call/services.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import { attribute, html as markup, type Html } from '../../doors/shared/html.ts'
import { html, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import type { CommentRow } from '../../store/core/schema.ts'
import { type SiteMessage, siteWord } from '../../themes/site-words.ts'
import { findClosed } from '../pages/closed-page.ts'
import { readFormFields } from '../pages/form-fields.ts'
import { frameOf } from '../pages/frame.ts'
import { identityOf, messagePage } from '../pages/message-page.ts'
import { closedHeaders, htmlHeaders } from '../pages/public-page.ts'

const maxFormBytes = 16 * 1024

/** The sentence after the form. */
const outcomes: Readonly<Record<Confirmed, SiteMessage>> = {
  shown: 'comment_shown',
  waits: 'comment_sent',
  gone: 'comment_link_over',
}

export function confirmCommentRoute(site: Services): Route {
  return {
    path: confirmPath,
    slash: 'exact',
    letterCase: 'exact',
    methods: {
      GET: async (request) => findClosed(site, request) ?? (await show(site, request)),
      POST: async (request) => findClosed(site, request) ?? (await take(site, request)),
    },
    door: 'site',
  }
}

async function show(site: Services, request: Request): Promise<Reply> {
  const link = request.query.get('link') ?? ''
  const comment = await findLinked(site, link)
  if (!comment) return over(site, request)
  const { language, say } = await wordsOf(site, comment)
  const action = request.basePath + confirmPath
  const message = markup`<span style="white-space: pre-line">${comment.body}</span>`
  const form = markup`<form method="post" ${attribute('action', action)}>
      <input type="hidden" name="link" ${attribute('value', link)} />
      <p><button type="submit">${say('comment_confirm')}</button></p>
    </form>`
  return page(site, request, { language, title: say('comment_confirm_title'), message, form, status: 200 })
}

async function take(site: Services, request: Request): Promise<Reply> {
  const link = (await readFormFields(request, maxFormBytes)).get('link') ?? ''
  const comment = await findLinked(site, link)
  if (!comment) return over(site, request)
  const { language, say } = await wordsOf(site, comment)
  const outcome = await confirmComment(site, comment.id)
  if (outcome === 'gone') return over(site, request)
  return page(site, request, { language, title: say('comments'), message: markup`${say(outcomes[outcome])}`, status: 200 })
}

/** The words of the page, in the language of the entry. */
async function wordsOf({ store, settings }: Services, comment: CommentRow) {
  const entry = await store.read.selectFrom('entry').select('locale').where('id', '=', comment.entry_id).executeTakeFirst()
  const language = languageOf(languagesOf(settings.values), entry?.locale ?? null) || 'en'
  return { language, say: (key: SiteMessage) => siteWord(language, key) }
}

interface Shown {
  readonly language: string
  readonly title: string
  readonly message: Html
  readonly form?: Html
  readonly status: number
}

function page(site: Services, request: Request, { language, title, message, form, status }: Shown): Reply {
  const identity = { ...identityOf(frameOf(site, request)), language }
  return html(status, messagePage({ site: identity, title, message, below: form }), { ...htmlHeaders, ...closedHeaders })
}

function over(site: Services, request: Request): Reply {
  const { language } = identityOf(frameOf(site, request))
  const say = (key: SiteMessage) => siteWord(language, key)
  return page(site, request, {
    language,
    title: say('link_expired_title'),
    message: markup`${say('comment_link_over')}`,
    status: 410,
  })
}
