// Old release profiles ask the plugins with a hook before dispatch about every request to `/mcp/` with a usable token, including
// those that call no action: `initialize`, a GET, a body that is not JSON. Release 1 asks them about calls only.

import type { ExtensionServices, ProgramServices, Services } from '../../../actions/call/services.ts'
import type { Failure } from '../../../base/failure.ts'
import type { Reply } from '../../../http/reply.ts'
import type { Request } from '../../../http/request.ts'
import type { Caller } from '../../../identity/caller.ts'
import { credentialOf } from '../credential.ts'
import { askPlugins } from '../plugin-hooks.ts'
import { answerAmongPlugins } from './plugin-output.ts'

/** True if `askBeforeMethod` asks any plugin; never in release 1. */
export const asksBeforeMethods = ({ release, plugins }: ExtensionServices & ProgramServices): boolean =>
  release.pluginPath === 'requests' && plugins.active.hooks.length > 0

/**
 * Asks the plugins about a request that calls no action.
 * @param method the method of the message; empty if the body has no message
 * @returns the refusal of the first plugin that refuses
 * @throws Failure if a plugin broke: `answerAmongPlugins` makes a page of it
 */
export async function askBeforeMethod(site: Services, caller: Caller, method: string): Promise<Failure | undefined> {
  if (!asksBeforeMethods(site)) return undefined
  const refusal = await askPlugins(site, caller, { name: method, input: {}, options: {} }, false)
  if (refusal?.detail.plugin !== undefined) throw refusal
  return refusal
}

/** Returns the reply to a GET of `/mcp/`, in release 1 unchanged. @param refuse the form of a refusal */
export async function answerGet(
  site: Services,
  request: Request,
  reply: Reply,
  refuse: (refusal: Failure) => Reply,
): Promise<Reply> {
  const { caller } = asksBeforeMethods(site) ? await credentialOf(site, request, 'mcp') : {}
  if (caller === undefined) return reply
  return answerAmongPlugins(site, async () => {
    const refusal = await askBeforeMethod(site, caller, '')
    return refusal ? refuse(refusal) : reply
  })
}
