// `postern admin set-up-link`: prints the link with which the owner of a new site creates an account. The start also prints it.

import { Failure } from '../base/failure.ts'
import { type Command, flag, readFlags } from './command.ts'
import { originOf, withSite } from './open-site.ts'

export const adminSetUpLink: Command = {
  usage: 'admin set-up-link [--json]',
  summary: 'Prints the link with which you become the owner of a site that has none yet.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const { hasAccount, setUpCode } = await import('../identity/set-up.ts')
    return withSite(io, async ({ config, key, release, store }) => {
      if (await hasAccount(store.read))
        throw new Failure('exists', 'The site has an owner already.', { hint: 'postern admin reset-password' })
      const link = `${originOf(config)}/admin/${release.firstVisit === 'code' ? `?code=${setUpCode(key)}` : ''}`
      io.out(values.json ? `${JSON.stringify({ link })}\n` : `${link}\n`)
    })
  },
}
