// Takes a list of subscribers as a file.

import { readFile } from 'node:fs/promises'
import { subscribers } from '../../actions/subscribers/index.ts'
import { Failure } from '../../base/failure.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { findIncoming } from '../../media/incoming.ts'
import { mayRun } from '../navigation.ts'
import { withUpload } from '../operations/upload.ts'
import { notYours, run } from '../page.ts'
import type { SignedIn } from '../visit.ts'
import { newsletterReply } from './newsletter-page.ts'

const maxBytes = 4 * 1024 ** 2

export function importSubscribers(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, subscribers.import)) throw notYours(visit)
  const { t, site, now } = visit
  const take = async ({ fields, files: [file] }: Parameters<Parameters<typeof withUpload>[2]>[0]): Promise<Reply> => {
    const path = file && (await findIncoming(site.config.POSTERN_HOME, file.id, now))
    const csv = path === undefined ? '' : await readFile(path, 'utf8')
    if (csv === '')
      return newsletterReply(visit, { fields, failure: new Failure('invalid', t('newsletter.choose_file'), { field: 'csv' }) })
    const { data, failure } = await run(visit, subscribers.import, { csv, consent: fields.get('consent').trim() })
    if (failure) return newsletterReply(visit, { fields, failure })
    const { added, known, ended, undecided, faulty, faults } = data
    const notice = html`<div class="notice good" role="status">
      <p>${t('newsletter.imported', { count: added })}</p>
      <p>${t('newsletter.imported_rest', { known, ended, undecided, faulty })}</p>
      ${faults.map((one) => html`<p><small>${one}</small></p>`)}
    </div>`
    return newsletterReply(visit, {}, notice)
  }
  return withUpload(visit, 'import-subscribers', take, { maxBytes })
}
