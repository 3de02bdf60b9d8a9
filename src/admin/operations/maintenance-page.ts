// Maintenance: the page where the owner closes the site temporarily and opens it again.

import { settings } from '../../actions/settings/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { maintenanceFile } from '../../settings/maintenance.ts'
import { controlTime } from '../parts/control-text.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, textField } from '../parts/fields.ts'
import { pageHead } from '../parts/table.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { adminPaths } from '../paths.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'

export function showMaintenance(visit: SignedIn): Reply {
  if (!mayRun(visit, settings.maintenance)) throw notYours(visit)
  return maintenancePage(visit)
}

function maintenancePage(visit: SignedIn, refused: Refused = {}): Reply {
  const { site, t } = visit
  const isOn = site.maintenance.now() !== undefined
  const body = html`${pageHead(t('operations.maintenance'), t('operations.maintenance_lead'))} ${isOn && openForm(visit)}
  ${closeForm(visit, isOn, refused)}`
  return framedReply(visit, { title: t('operations.maintenance'), body }, refused)
}

function openForm(visit: SignedIn): Html {
  const { site, t } = visit
  const closed = site.maintenance.now()
  const until = closed?.until == null ? undefined : new Date(closed.until).toISOString()
  return html`<section class="card" aria-labelledby="closed">
    <h2 id="closed">${t('operations.site_closed')}</h2>
    <p>${closed?.message}</p>
    ${until !== undefined && html`<p>${t.rich('operations.opens_at', { time: shownTime(visit, until) })}</p>`}
    ${
      closed?.byFile
        ? html`<p>${t.rich('operations.closed_by_file', { file: html`<code>${maintenanceFile}</code>` })}</p>`
        : postForm(visit, {
            path: adminPaths.maintenance,
            purpose: 'maintenance',
            hidden: { on: 'no' },
            body: html`<button class="primary">${t('operations.open_site')}</button>`,
          })
    }
  </section>`
}

function closeForm(visit: SignedIn, isOn: boolean, { fields, failure }: Refused): Html {
  const { site, t } = visit
  const zone = site.settings.values.time_zone
  const closed = site.maintenance.now()
  const faults = faultsOf(t, failure, ['message', 'until'])
  return html`<section class="card" aria-labelledby="close">
    <h2 id="close">${t(isOn ? 'operations.change_message' : 'operations.close_site')}</h2>
    ${postForm(visit, {
      path: adminPaths.maintenance,
      purpose: 'maintenance',
      hidden: { on: 'yes' },
      body: html`${areaField({
          name: 'message',
          label: t('operations.message'),
          rows: 3,
          value: fields?.get('message') ?? (closed?.byFile ? '' : closed?.message),
          help: t('operations.message_help'),
          fault: faults.at('message'),
        })}
        ${textField({
          name: 'until',
          label: t('operations.until'),
          type: 'datetime-local',
          value: fields?.get('until') ?? controlTime(closed?.until, zone),
          help: t('operations.until_help', { zone }),
          fault: faults.at('until'),
        })}
        <p class="actions">
          <button class="${isOn ? 'plain' : 'danger'}">${t(isOn ? 'operations.save' : 'operations.close_site')}</button>
        </p>`,
    })}
  </section>`
}

const save: Work = async (visit, fields) => {
  if (!mayRun(visit, settings.maintenance)) throw notYours(visit)
  const on = fields.get('on') === 'yes'
  const words = { message: fields.get('message').trim() || null, until: fields.get('until').trim() || null }
  const { failure } = await run(visit, settings.maintenance, on ? { on, ...words } : { on })
  return failure ?? goDone(visit, adminPaths.maintenance, on ? 'operations.done_site_closed' : 'operations.done_site_open')
}

export const saveMaintenance = formTaker('maintenance', save, maintenancePage)
