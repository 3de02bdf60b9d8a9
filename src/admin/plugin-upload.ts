// Takes the form that brings a plugin's package, new or in place of the version that is there.

import { Readable } from 'node:stream'
import type { Reply } from '../http/reply.ts'
import { dropIncoming, keepIncoming } from '../plugins/incoming.ts'
import { confirmPassword } from './confirm-password.ts'
import { notYours, run, type Result } from './page.ts'
import { mayRun } from './layout.ts'
import { adminPaths } from './paths.ts'
import { pluginsReply } from './plugins-page.ts'
import { goTo } from './reply.ts'
import { maxUploadBytes, readUpload } from './upload.ts'
import type { SignedIn } from './visit.ts'

interface Brought {
  readonly item: { readonly state: string }
}

/** POST */
export async function bringPlugin(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, 'SVC_Plugins.install')) throw notYours()
  const { fields, file } = await readUpload(visit, 'bring-plugin')
  const refused = await confirmPassword(visit, fields)
  if (refused) return pluginsReply(visit, refused)
  if (file === undefined) return goTo(visit, adminPaths.plugins)
  const replaces = fields.has('replace')
  const { data, failure } = await bring(visit, file, replaces ? 'SVC_Plugins.update' : 'SVC_Plugins.install')
  if (failure) return pluginsReply(visit, { failure })
  const done = replaces ? (data.item.state === 'active' ? 'updated' : 'updated-off') : 'installed'
  return goTo(visit, `${adminPaths.plugins}?done=${done}`)
}

/** The action takes the file up by its id; where it came to nothing before that, it goes here. */
async function bring(visit: SignedIn, file: readonly Uint8Array[], action: string): Promise<Result<Brought>> {
  const home = visit.site.config.POSTERN_HOME
  const upload = await keepIncoming(home, Readable.from(file), maxUploadBytes, visit.now)
  try {
    return await run<Brought>(visit, action, { upload_id: upload })
  } finally {
    await dropIncoming(home, upload)
  }
}
