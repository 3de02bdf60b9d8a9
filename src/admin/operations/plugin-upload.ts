// Takes an upload of a plugin's package: a new plugin, or another version of an installed plugin.

import { plugins } from '../../actions/plugins/index.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword } from '../access/confirm-password.ts'
import { notYours, run } from '../page.ts'
import { mayRun } from '../navigation.ts'
import { goDone } from '../parts/done-notice.ts'
import { adminPaths } from '../paths.ts'
import { pluginsReply } from './plugins-page.ts'
import { withUpload } from './upload.ts'
import type { SignedIn } from '../visit.ts'

export function installPlugin(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, plugins.install)) throw notYours(visit)
  return withUpload(visit, 'bring-plugin', async ({ fields, files: [file] }) => {
    const refused = await confirmPassword(visit, fields)
    if (refused) return pluginsReply(visit, refused)
    if (file === undefined) return pluginsReply(visit, { failure: new Failure('invalid', visit.t('operations.choose_package')) })
    const replaces = fields.has('replace')
    const action = replaces ? plugins.update : plugins.install
    const { data, failure } = await run(visit, action, { upload_id: file.id })
    if (failure) return pluginsReply(visit, { failure })
    const updated = data.item.state === 'active' ? plugins.update : 'operations.done_plugin_updated_off'
    return goDone(visit, adminPaths.plugins, replaces ? updated : 'operations.done_plugin_installed')
  })
}
