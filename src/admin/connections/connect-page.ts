// Connecting an assistant: the address, the steps for each client, and the clients that have connected. If none does, the doctor
// says why.

import { apps } from '../../actions/apps/index.ts'
import { health } from '../../actions/health/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { baseOf, mcpPath } from '../../doors/shared/paths.ts'
import { isLoopbackName } from '../../http/origin.ts'
import type { Reply } from '../../http/reply.ts'
import { csrfToken } from '../../identity/csrf.ts'
import { destinationOfHost } from '../../doors/oauth/destination.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { placeOfApp } from '../access/destination-words.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField, readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { faultBox } from '../parts/fields.ts'
import { pageHead } from '../parts/table.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { dataReply } from '../reply.ts'
import { connectScript, copyable } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { documentPath } from './document-page.ts'
import { clientName, type ClientSteps, clients, forSite, stepsOf } from './clients.ts'

export const connectPurpose = 'check-connection'
/** The longest time that the page looks back. */
const hourMs = 3_600_000

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
  const { request, t } = visit
  const address = baseOf(request) + mcpPath
  const isPrivate = isLoopbackName(request.host.replace(/:\d+$/, ''))
  const body = html`${pageHead(t('connections.connect_title'), t('connections.connect_lead'))}
    <section class="panel" aria-label="${t('connections.the_address')}">
      <p class="address">${copyable(t('connections.the_address'), address)}</p>
    </section>
    ${mayRun(visit, apps.list) && (await arrivalPanel(visit, checked))}
    <h2>${t('connections.what_to_do')}</h2>
    <div class="clients">${clients.map((client) => clientCard(t, client, { address, isPrivate }))}</div>
    <p class="help">${t.rich('connections.stuck', { link: stuckLink(visit) })}</p>`
  return framedReply(visit, { title: t('connections.connect_title'), body, script: connectScript })
}

function clientCard(t: Words, client: ClientSteps, at: { readonly address: string; readonly isPrivate: boolean }): Html {
  const { id, copy, note, hosted } = client
  return html`<details class="card client" id="${id}">
    <summary>${clientName(t, client)}</summary>
    ${hosted && at.isPrivate && html`<p class="notice warn">${t('connections.hosted_private')}</p>`}
    <ol>
      ${stepsOf(t, client).map((step) => html`<li>${step}</li>`)}
    </ol>
    ${copy && html`<p class="address">${copyable(t(copy.what), forSite(copy.text, at.address))}</p>`}
    ${note !== undefined && html`<p class="quiet">${t(note)}</p>`}
  </details>`
}

async function arrivalPanel(visit: SignedIn, checked: { readonly words: HtmlValue } | undefined): Promise<Html> {
  const { request, t } = visit
  const since = sinceOf(visit)
  const arrived = await arrivals(visit, since)
  const here = `${linkTo(request, adminPaths.connect)}?since=${since}`
  return html`<section
    class="panel"
    aria-labelledby="arrived"
    data-arrivals="${linkTo(request, adminPaths.arrivals)}?since=${since}"
    data-csrf="${csrfToken(visit.site.key, visit.holder, connectPurpose)}"
  >
    <h2 id="arrived">${t('connections.has_it_arrived')}</h2>
    <div role="status" data-arrived>
      ${arrived.length > 0 ? arrived.map((one) => arrivalLine(visit, one)) : html`<p>${t('connections.nobody_yet')}</p>`}
    </div>
    ${arrived.length === 0 && html`<p data-look-again><a class="button" href="${here}">${t('connections.look_again')}</a></p>`}
    ${checked?.words} ${mayRun(visit, health.check) && arrived.length === 0 && doctorForm(visit)}
  </section>`
}

function arrivalLine({ request, t }: SignedIn, { id, name, place }: Arrival): Html {
  const text = t('connections.name_at_place', { name, place })
  const app = html`<a href="${linkTo(request, adminPaths.app)}?id=${id}">${text}</a>`
  return html`<p class="notice done">${t.rich('connections.is_connected', { app })}</p>`
}

/** The link to help for people whose client does not connect. */
const stuckLink = (visit: SignedIn): Html =>
  html`<a href="${documentPath(visit, 'cannot-connect')}">${visit.t('connections.stuck_link')}</a>`

const doctorForm = (visit: SignedIn): Html =>
  html`<form method="post" action="${linkTo(visit.request, adminPaths.connect)}?since=${sinceOf(visit)}">
    ${csrfField(visit, connectPurpose)}
    <p class="quiet">${visit.t('connections.doctor_help')}</p>
    <button>${visit.t('connections.find_out_why')}</button>
  </form>`

/** Returns UTC milliseconds, at most an hour ago. */
function sinceOf({ request, now }: SignedIn): number {
  const asked = Number(request.query.get('since'))
  return Number.isSafeInteger(asked) && asked > now - hourMs && asked <= now ? asked : now
}

async function arrivals(visit: SignedIn, since: number): Promise<readonly Arrival[]> {
  const { items } = await get(visit, apps.list, {
    where: { created_at: { gte: formatDate(since) } },
    sort: '-created_at',
    limit: 5,
  })
  return items.map(({ id, name, host }) => ({ id, name, place: placeOfApp(visit, destinationOfHost(host)).heading }))
}

/** GET: the clients that have connected, as JSON for the script of the page. */
export async function listArrivals(visit: SignedIn): Promise<Reply> {
  const arrived = await arrivals(visit, sinceOf(visit))
  return dataReply(visit, 200, { arrived })
}

/** POST: runs the doctor. */
export async function checkConnection(visit: SignedIn): Promise<Reply> {
  await readFields(visit, connectPurpose)
  const { data, failure } = await run(visit, health.check, { outside: true })
  if (failure) return connectReply(visit, { words: faultBox(sentenceOf(failure, visit.t)) })
  const found = data.items.filter(({ state }) => state === 'broken' || state === 'warning')
  const { t } = visit
  const link = stuckLink(visit)
  const words =
    found.length === 0
      ? html`<p class="notice done">${t.rich('connections.check_fine', { link })}</p>`
      : html`<p class="notice warn">${t.rich('connections.check_found', { link })}</p>
          <ul class="lines">
            ${found.map(({ message, fix }) => html`<li><span>${withCode(message)}</span> ${fix !== null && html`<p>${copyable(t('connections.the_fix'), fix)}</p>`}</li>`)}
          </ul>`
  return connectReply(visit, { words })
}
