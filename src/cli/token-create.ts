// `postern token create`: creates a personal token. Standard output has only the token.

import { tokens } from '../actions/tokens/index.ts'
import { findOldestAdmin, getAccount, callerOfAccount } from '../identity/account-store.ts'
import { type Command, flag, readFlags } from './command.ts'
import { exit } from './exit.ts'
import { callAs, operator, withSite } from './open-site.ts'

export const tokenCreate: Command = {
  usage: 'token create [--name N] [--scope read|content|admin] [--account EMAIL] [--expires DATE] [--json]',
  summary: 'Creates a personal token and prints it. It is not shown again.',
  details: [
    '--scope S     admin (default), content or read.',
    '--account E   The account it acts as. The default is the oldest admin.',
    '--expires D   The last day it works, such as 2027-01-31. The default is no end.',
  ],
  async run(args, io) {
    const values = readFlags(args, {
      name: { type: 'string', default: 'command line' },
      scope: { type: 'string', default: 'admin' },
      account: { type: 'string' },
      expires: { type: 'string' },
      json: flag,
    })
    return withSite(io, async (site) => {
      const account =
        values.account === undefined ? await findOldestAdmin(site.store.read) : await getAccount(site.store.read, values.account)
      if (!account) {
        io.err('There is no account for a token to belong to.\nTry: postern admin create --email you@example.org --name You\n')
        return exit.notFound
      }
      const input = {
        name: values.name,
        scope: values.scope,
        account: account.id,
        ...(values.expires === undefined ? {} : { expires_at: values.expires }),
      }
      // An account that may not create tokens gets its token from the operator.
      const caller = account.role === 'admin' ? callerOfAccount(account, 'cli') : operator
      const { item, token } = await callAs(site, caller, tokens.create, input)
      if (token === undefined) throw new Error('SVC_Tokens.create answered no secret.')
      io.out(values.json ? `${JSON.stringify({ ...item, token })}\n` : `${token}\n`)
      io.err(
        `The token ${JSON.stringify(item.name)} acts as ${item.account} with the scope ${item.scope}${item.expires_at === null ? '' : ` until ${item.expires_at}`}. It is not shown again.\n`,
      )
      return exit.ok
    })
  },
}
