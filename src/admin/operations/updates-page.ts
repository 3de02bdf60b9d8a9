// Updates: the release that runs, and the commands that replace it. The service can't replace itself: only root may write its program.

import { basename } from 'node:path'
import { settingsUpdate } from '../../actions/classes/svc-settings.ts'
import { html } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { programFolder, programRelease, programVersion } from '../../program.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { factList } from '../parts/facts.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

const build = 'cd /usr/local/src/postern && git pull && npm ci && npm run build'

const steps = [
  'It checks that the disk has room for the release and for twice the database.',
  'It loads the new release in a separate process, and runs the doctor.',
  'It makes a backup and tests it, and lets the new release migrate a copy of that backup.',
  'It switches to the new release. Requests wait meanwhile, and none is refused.',
  'It waits until the service is ready, and runs the doctor again. If anything got worse, it goes back by itself.',
]

/** GET */
export function showUpdates(visit: SignedIn): Reply {
  if (!mayRun(visit, settingsUpdate)) throw notYours(visit)
  const folder = programFolder()
  const version = programVersion(folder)
  const isInstalled = basename(folder).startsWith(`${version}-`)
  const body = html`${pageHead('Updates', 'The release of Postern that runs this site, and how to replace it.')}
    <section class="panel" aria-labelledby="release">
      <h2 id="release">This release</h2>
      ${factList({ Release: html`<code>${programRelease()}</code>`, Version: version, Node: process.version, Folder: html`<code>${folder}</code>` })}
      ${!isInstalled && html`<p>This service runs from a checkout, so it is updated there: build it, and start the service again.</p>`}
    </section>
    <section class="panel" aria-labelledby="update">
      <h2 id="update">Update</h2>
      <p>On the server, get and build the new release:</p>
      <p class="address">${copyable('the command that builds', build)}</p>
      ${
        isInstalled
          ? html`<p>See what the upgrade would do:</p>
              <p class="address">${copyable('the command that tries', 'sudo scripts/postern upgrade --dry-run')}</p>
              <p>Then do it:</p>
              <p class="address">${copyable('the command that upgrades', 'sudo scripts/postern upgrade')}</p>
              <ol class="steps">
                ${steps.map((step) => html`<li>${step}</li>`)}
              </ol>`
          : html`<p>Then stop this service and start it again:</p>
              <p class="address">${copyable('the command that starts', 'npm start')}</p>`
      }
    </section>
    ${
      isInstalled &&
      html`<section class="panel" aria-labelledby="back">
        <h2 id="back">Go back</h2>
        <p>If the new release does not suit you, this brings back the one before. What was written since stays.</p>
        <p class="address">${copyable('the command that goes back', 'sudo scripts/postern rollback')}</p>
      </section>`
    }
    <p class="quiet">
      Plugins are updated on <a href="${linkTo(visit.request, adminPaths.plugins)}">their own page</a>, from their packages.
    </p>`
  return pageReply(visit, 200, framed(visit, { title: 'Updates', body, script: copyScript }))
}
