// Maintenance: the page where the owner closes the site temporarily and opens it again.

import { settings } from '../../actions/settings/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { maintenanceFile } from '../../settings/maintenance.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { controlTime } from '../parts/control-text.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, faultBox, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { pageHead } from '../parts/table.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

export function showMaintenance(visit: SignedIn): Reply {
  if (!mayRun(visit, settings.maintenance)) throw notYours(visit)
  return maintenancePage(visit)
}

function maintenancePage(visit: SignedIn, fields?: Fields, failure?: Failure): Reply {
  const { site, t } = visit
  const isOn = site.maintenance.now() !== undefined
  const body = html`${pageHead(t('operations.maintenance'), t('operations.maintenance_lead'))}
  ${faultBox(failure && !isField(failure.detail.field) ? sentenceOf(failure, t) : undefined)} ${isOn && openForm(visit)}
  ${closeForm(visit, isOn, fields, failure)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('operations.maintenance'), body }))
}

const isField = (name: string | undefined): boolean => name === 'message' || name === 'until'

function openForm(visit: SignedIn): Html {
  const { request, site, t } = visit
  const closed = site.maintenance.now()
  const until = closed?.until == null ? undefined : new Date(closed.until).toISOString()
  return html`<section class="card" aria-labelledby="closed">
    <h2 id="closed">${t('operations.site_closed')}</h2>
    <p>${closed?.message}</p>
    ${until !== undefined && html`<p>${t.rich('operations.opens_at', { time: shownTime(visit, until) })}</p>`}
    ${
      closed?.byFile
        ? html`<p>${t.rich('operations.closed_by_file', { file: html`<code>${maintenanceFile}</code>` })}</p>`
        : html`<form method="post" action="${linkTo(request, adminPaths.maintenance)}">
            ${csrfField(visit, 'maintenance')}
            <input type="hidden" name="on" value="no" />
            <button class="primary">${t('operations.open_site')}</button>
          </form>`
    }
  </section>`
}

function closeForm(visit: SignedIn, isOn: boolean, fields: Fields | undefined, failure: Failure | undefined): Html {
  const { request, site, t } = visit
  const zone = site.settings.values.time_zone
  const closed = site.maintenance.now()
  const faultOf = (name: string) => (failure?.detail.field === name ? sentenceOf(failure, t) : undefined)
  const until = controlTime(closed?.until, zone)
  return html`<section class="card" aria-labelledby="close">
    <h2 id="close">${t(isOn ? 'operations.change_message' : 'operations.close_site')}</h2>
    <form method="post" action="${linkTo(request, adminPaths.maintenance)}">
      ${csrfField(visit, 'maintenance')}
      <input type="hidden" name="on" value="yes" />
      ${areaField({
        name: 'message',
        label: t('operations.message'),
        rows: 3,
        value: fields?.get('message') ?? (closed?.byFile ? '' : closed?.message),
        help: t('operations.message_help'),
        fault: faultOf('message'),
      })}
      ${textField({
        name: 'until',
        label: t('operations.until'),
        type: 'datetime-local',
        value: fields?.get('until') ?? until,
        help: t('operations.until_help', { zone }),
        fault: faultOf('until'),
      })}
      <p class="actions">
        <button class="${isOn ? 'plain' : 'danger'}">${t(isOn ? 'operations.save' : 'operations.close_site')}</button>
      </p>
    </form>
  </section>`
}

export async function saveMaintenance(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'maintenance')
  if (!mayRun(visit, settings.maintenance)) throw notYours(visit)
  const on = fields.get('on') === 'yes'
  const words = { message: fields.get('message').trim() || null, until: fields.get('until').trim() || null }
  const { failure } = await run(visit, settings.maintenance, on ? { on, ...words } : { on })
  return failure
    ? maintenancePage(visit, fields, failure)
    : goDone(visit, adminPaths.maintenance, on ? 'operations.done_site_closed' : 'operations.done_site_open')
}
