// The answer to an authorization request that is refused before the owner is asked: a page in plain words, or a redirect to the
// client.

import { hash } from 'node:crypto'
import { cutText } from '../../base/cut-text.ts'
import { unindexedDocument } from '../shared/document.ts'
import { html, raw } from '../shared/html.ts'
import type { HttpFailure } from '../../http/failure.ts'
import { html as htmlReply, redirect, type Headers, type Reply } from '../../http/reply.ts'
import type { AuthorizeDecision, RefusalPage } from './authorize-request.ts'
import { errorLocation } from './consent.ts'
import { expectedResource, type RequestBase } from './resource.ts'

const style = `:root{color-scheme:light dark}
body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2}
code{display:block;padding:.7rem .9rem;border:1px solid;border-radius:8px;user-select:all}`

const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`

/** Headers of every answer. It may not be stored or framed, and its address is not sent to other sites (attack 44). */
const headers: Headers = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
})
/** The page with status 400, or the 302 with the error. */
export function refuseAuthorize(request: RequestBase, refused: Exclude<AuthorizeDecision, { readonly ok: unknown }>): Reply {
  if ('redirectError' in refused) return redirect(302, errorLocation(refused.redirectError), headers)
  return htmlReply(400, page(pages[refused.page](cut(refused.received ?? ''), request)), headers)
}

/** The page for a failure below the protocol: a wrong host, a body that is too large, a database that can't be read. */
export function failurePage({ status, message, copy, headers: own }: HttpFailure): Reply {
  const isMendable = copy !== undefined
  const title = isMendable ? 'This site needs a setting first' : 'That did not work'
  const advice = `${isMendable ? 'Then go' : 'Go'} back to your app and connect again.`
  const text = page({ title, fault: message, copy, advice })
  return htmlReply(status, text, { ...headers, ...own })
}

interface Words {
  readonly title: string
  /** The fault of the request. */
  readonly fault: string
  /** The expected value. */
  readonly expected?: string
  /** A text to copy. */
  readonly copy?: string | undefined
  /** The next thing to do. */
  readonly advice: string
}

const pages: Readonly<Record<RefusalPage, (received: string, request: RequestBase) => Words>> = {
  'unknown-client': () => ({
    title: 'Unknown client',
    fault: 'The client_id is missing or invalid.',
    advice:
      'Remove the connection in your app and add it again, so that it registers anew. This site knows only apps that registered here.',
  }),
  'invalid-resource': (received, request) => ({
    title: 'Invalid resource',
    fault: `The resource does not match this server. Received: ${received}`,
    expected: `Expected: ${expectedResource(request)}`,
    advice:
      'Give your app exactly this address. If it has it already, the app does not say which site it means, and needs an update.',
  }),
  'invalid-redirect': (received) => ({
    title: 'Invalid redirect',
    fault: `The redirect_uri is not one that this app registered. Received: ${received}`,
    advice: 'Nothing was sent there. Remove the connection in your app and add it again.',
  }),
  'invalid-request': (received) => ({
    title: 'Invalid request',
    fault: received,
    advice: 'Go back to your app and connect again.',
  }),
}

const maxReceived = 200

/** A value from the request on one line, cut to a readable length (attack 38). */
const cut = (text: string): string =>
  cutText(text, maxReceived)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')

function page({ title, fault, expected, copy, advice }: Words): string {
  return unindexedDocument({
    title,
    head: raw(`<style>${style}</style>`),
    body: html`<body>
      <main>
        <h1>${title}</h1>
        <p>${fault}</p>
        ${expected !== undefined && html`<p>${expected}</p>`} ${copy !== undefined && html`<p><code>${copy}</code></p>`}
        <p>${advice}</p>
      </main>
    </body>`,
  })
}
