// Connect an assistant: the address, what to do in each client, and whether one has arrived. If none does, the doctor says why.

import { appsList } from '../../actions/classes/svc-apps.ts'
import { healthCheck } from '../../actions/classes/svc-health.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { baseOf, mcpPath } from '../../doors/paths.ts'
import { isLoopbackName } from '../../http/origin.ts'
import { json, type Reply } from '../../http/reply.ts'
import { destinationOfHost } from '../../oauth/destination.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { placeOfApp } from '../access/destination-words.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { faultBox } from '../parts/fields.ts'
import { pageHead } from '../parts/table.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { adminHeaders, pageReply } from '../reply.ts'
import { connectScript, copyable } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { type ClientSteps, clients, forSite } from './clients.ts'

const purpose = 'check-connection'
/** How far back the page looks. */
const hourMs = 3_600_000

/** An app that has connected. */
interface Arrival {
  readonly id: string
  readonly name: string
  readonly place: string
}

/** GET; `since` is the time from which the page looks for clients. */
export async function showConnect(visit: SignedIn): Promise<Reply> {
  return connectReply(visit)
}

async function connectReply(visit: SignedIn, checked?: { readonly words: HtmlValue }): Promise<Reply> {
  const { request } = visit
  const address = baseOf(request) + mcpPath
  const isPrivate = isLoopbackName(request.host.replace(/:\d+$/, ''))
  const body = html`${pageHead('Connect an assistant', 'Give your assistant this address. It sends you back here to sign in and to choose what it may do.')}
    <p class="address">${copyable('the address', address)}</p>
    ${mayRun(visit, appsList) && (await arrivalPanel(visit, checked))}
    <h2>What to do in your assistant</h2>
    <div class="clients">${clients.map((client) => clientCard(client, { address, isPrivate }))}</div>`
  return pageReply(visit, 200, framed(visit, { title: 'Connect an assistant', body, script: connectScript }))
}

function clientCard(
  { id, name, steps, copy, note, hosted }: ClientSteps,
  at: { readonly address: string; readonly isPrivate: boolean },
): Html {
  return html`<details class="card client" id="${id}">
    <summary>${name}</summary>
    ${
      hosted &&
      at.isPrivate &&
      html`<p class="notice warn">
        This client runs on its vendor’s machines, and this address works on yours alone. It needs a public https address.
      </p>`
    }
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    ${copy && html`<p class="address">${copyable(copy.what, forSite(copy.text, at.address))}</p>`}
    ${note !== undefined && html`<p class="quiet">${note}</p>`}
  </details>`
}

async function arrivalPanel(visit: SignedIn, checked: { readonly words: HtmlValue } | undefined): Promise<Html> {
  const { request } = visit
  const since = sinceOf(visit)
  const arrived = await arrivals(visit, since)
  const here = `${linkTo(request, adminPaths.connect)}?since=${since}`
  return html`<section
    class="panel"
    aria-labelledby="arrived"
    data-arrivals="${linkTo(request, adminPaths.arrivals)}?since=${since}"
  >
    <h2 id="arrived">Has it arrived?</h2>
    <div role="status" data-arrived>
      ${
        arrived.length > 0
          ? arrived.map(
              ({ id, name, place }) =>
                html`<p class="notice done">
                  <a href="${linkTo(request, adminPaths.app)}?id=${id}">“${name}” at ${place}</a> is connected.
                </p>`,
            )
          : html`<p>No assistant has connected since you opened this page.</p>`
      }
    </div>
    ${arrived.length === 0 && html`<p data-look-again><a class="button" href="${here}">Look again</a></p>`} ${checked?.words}
    ${mayRun(visit, healthCheck) && arrived.length === 0 && doctorForm(visit)}
  </section>`
}

const doctorForm = (visit: SignedIn): Html =>
  html`<form method="post" action="${linkTo(visit.request, adminPaths.connect)}?since=${sinceOf(visit)}">
    ${csrfField(visit, purpose)}
    <p class="help">
      If nothing comes, the site can ask its own public address as an assistant would, and say what is in the way.
    </p>
    <button>Find out why</button>
  </form>`

/** UTC milliseconds, at most an hour ago. */
function sinceOf({ request, now }: SignedIn): number {
  const asked = Number(request.query.get('since'))
  return Number.isSafeInteger(asked) && asked > now - hourMs && asked <= now ? asked : now
}

async function arrivals(visit: SignedIn, since: number): Promise<readonly Arrival[]> {
  const { items } = await get(visit, appsList, {
    where: { created_at: { gte: formatDate(since) } },
    sort: '-created_at',
    limit: 5,
  })
  return items.map(({ id, name, host }) => ({ id, name, place: placeOfApp(destinationOfHost(host)).heading }))
}

/** GET: who has arrived, as JSON, for the script of the page. */
export async function listArrivals(visit: SignedIn): Promise<Reply> {
  const arrived = await arrivals(visit, sinceOf(visit))
  return json(200, { arrived }, adminHeaders(visit.request.scheme))
}

/** POST: asks the doctor. */
export async function checkConnection(visit: SignedIn): Promise<Reply> {
  await readFields(visit, purpose)
  const { data, failure } = await run(visit, healthCheck, { outside: true })
  if (failure) return connectReply(visit, { words: faultBox(sentenceOf(failure)) })
  const found = data.items.filter(({ state }) => state === 'broken' || state === 'warning')
  const words =
    found.length === 0
      ? html`<p class="notice done">
          The site answers as an assistant expects. The document <code>cannot-connect</code> says what else can be wrong, by what
          you see in the client.
        </p>`
      : html`<p class="notice warn">This is in the way, or may be. The document <code>cannot-connect</code> says more.</p>
          <ul class="lines">
            ${found.map(({ message, fix }) => html`<li><span>${withCode(message)}</span> ${fix !== null && html`<p>${copyable('the fix', fix)}</p>`}</li>`)}
          </ul>`
  return connectReply(visit, { words })
}
