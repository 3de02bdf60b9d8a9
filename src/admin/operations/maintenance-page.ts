// Maintenance: the page where the owner closes the site for a while and opens it again.

import { formatInTimeZone } from 'date-fns-tz'
import { settingsMaintenance } from '../../actions/classes/svc-settings-maintenance.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { maintenanceFile } from '../../settings/maintenance.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { areaField, doneBox, faultBox, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { pageHead } from '../parts/table.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

/** GET */
export function showMaintenance(visit: SignedIn): Reply {
  if (!mayRun(visit, settingsMaintenance)) throw notYours(visit)
  return maintenancePage(visit)
}

const doneWords: Readonly<Record<string, string>> = { on: 'The site is closed.', off: 'The site is open.' }

function maintenancePage(visit: SignedIn, fields?: Fields, failure?: Failure): Reply {
  const { request, site } = visit
  const done = doneWords[request.query.get('done') ?? '']
  const isOn = site.maintenance.now() !== undefined
  const body = html`${pageHead('Maintenance', html`During maintenance, visitors see a page that says the site is closed, and apps and scripts are told to try again later. This admin and the command line keep working.`)}
  ${failure ? undefined : doneBox(done)} ${faultBox(failure && !isField(failure.detail.field) ? sentenceOf(failure) : undefined)}
  ${isOn && openForm(visit)} ${closeForm(visit, isOn, fields, failure)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Maintenance', body }))
}

const isField = (name: string | undefined): boolean => name === 'message' || name === 'until'

function openForm(visit: SignedIn): Html {
  const { request, site } = visit
  const closed = site.maintenance.now()
  const until = closed?.until == null ? undefined : new Date(closed.until).toISOString()
  return html`<section class="card" aria-labelledby="closed">
    <h2 id="closed">The site is closed</h2>
    <p>${closed?.message}</p>
    ${until !== undefined && html`<p>It opens automatically: ${shownTime(visit, until)}.</p>`}
    ${
      closed?.byFile
        ? html`<p>
            The file <code>${maintenanceFile}</code> in the site’s home keeps it closed. Remove the file to open the site.
          </p>`
        : html`<form method="post" action="${linkTo(request, adminPaths.maintenance)}">
            ${csrfField(visit, 'maintenance')}
            <input type="hidden" name="on" value="no" />
            <button class="primary">Open the site</button>
          </form>`
    }
  </section>`
}

function closeForm(visit: SignedIn, isOn: boolean, fields: Fields | undefined, failure: Failure | undefined): Html {
  const { request, site } = visit
  const zone = site.settings.values.time_zone
  const closed = site.maintenance.now()
  const faultOf = (name: string) => (failure?.detail.field === name ? sentenceOf(failure) : undefined)
  const until = closed?.until == null ? '' : formatInTimeZone(closed.until, zone, "yyyy-MM-dd'T'HH:mm")
  return html`<section class="card" aria-labelledby="close">
    <h2 id="close">${isOn ? 'Change the message' : 'Close the site'}</h2>
    <form method="post" action="${linkTo(request, adminPaths.maintenance)}">
      ${csrfField(visit, 'maintenance')}
      <input type="hidden" name="on" value="yes" />
      ${areaField({
        name: 'message',
        label: 'Message',
        rows: 3,
        value: fields?.get('message') ?? (closed?.byFile ? '' : closed?.message),
        help: 'One or two sentences for visitors, apps and scripts. Leave the field empty for the default message.',
        fault: faultOf('message'),
      })}
      ${textField({
        name: 'until',
        label: 'Until',
        type: 'datetime-local',
        value: fields?.get('until') ?? until,
        help: `The site opens automatically at this time (${zone}). Leave the field empty to keep it closed.`,
        fault: faultOf('until'),
      })}
      <p class="actions"><button class="${isOn ? 'plain' : 'danger'}">${isOn ? 'Save' : 'Close the site'}</button></p>
    </form>
  </section>`
}

/** POST */
export async function saveMaintenance(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'maintenance')
  if (!mayRun(visit, settingsMaintenance)) throw notYours(visit)
  const on = fields.get('on') === 'yes'
  const words = { message: fields.get('message').trim() || null, until: fields.get('until').trim() || null }
  const { failure } = await run(visit, settingsMaintenance, on ? { on, ...words } : { on })
  return failure ? maintenancePage(visit, fields, failure) : goTo(visit, `${adminPaths.maintenance}?done=${on ? 'on' : 'off'}`)
}
