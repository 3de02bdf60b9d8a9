// Updates: the current release, and the commands that replace it. The service can't replace itself: only root may write its
// program.

import { basename } from 'node:path'
import { settings } from '../../actions/settings/index.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { programFolder, programRelease, programVersion } from '../../base/program.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { factList } from '../parts/facts.ts'
import { panel } from '../parts/panel.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { framedReply } from '../framed-reply.ts'

const build = 'cd /usr/local/src/postern && git pull && npm ci && npm run build'

const steps: readonly MessageKey[] = [
  'operations.step_room',
  'operations.step_load',
  'operations.step_backup',
  'operations.step_switch',
  'operations.step_wait',
]

export function showUpdates(visit: SignedIn): Reply {
  if (!mayRun(visit, settings.update)) throw notYours(visit)
  const { t } = visit
  const folder = programFolder()
  const version = programVersion(folder)
  const isInstalled = basename(folder).startsWith(`${version}-`)
  const facts = factList({
    [t('operations.release')]: html`<code>${programRelease()}</code>`,
    [t('operations.version')]: version,
    Node: process.version,
    [t('operations.folder')]: html`<code>${folder}</code>`,
  })
  const back = html`<p>${t('operations.go_back_lead')}</p>
    <p class="address">${copyable(t('operations.command_back'), 'sudo scripts/postern rollback')}</p>`
  const body = html`${pageHead(t('operations.updates'), t('operations.updates_lead'))}
    ${panel('release', t('operations.this_release'), html`${facts} ${!isInstalled && html`<p>${t('operations.from_checkout')}</p>`}`)}
    <section class="panel" aria-labelledby="update">
      <h2 id="update">${t('operations.update')}</h2>
      <p>${t('operations.update_build')}</p>
      <p class="address">${copyable(t('operations.command_build'), build)}</p>
      ${
        isInstalled
          ? html`<p>${t('operations.update_try')}</p>
              <p class="address">${copyable(t('operations.command_try'), 'sudo scripts/postern upgrade --dry-run')}</p>
              <p>${t('operations.update_do')}</p>
              <p class="address">${copyable(t('operations.command_upgrade'), 'sudo scripts/postern upgrade')}</p>
              <ol class="steps">
                ${steps.map((step) => html`<li>${t(step)}</li>`)}
              </ol>`
          : html`<p>${t('operations.update_restart')}</p>
              <p class="address">${copyable(t('operations.command_start'), 'npm start')}</p>`
      }
    </section>
    ${isInstalled && panel('back', t('operations.go_back'), back)}
    <p class="quiet">
      ${t.rich('operations.plugins_updated', {
        link: html`<a href="${linkTo(visit.request, adminPaths.plugins)}">${t('operations.their_own_page')}</a>`,
      })}
    </p>`
  return framedReply(visit, { title: t('operations.updates'), body, script: copyScript })
}
