// `postern token list`: the usable personal tokens, one per line.

import { tokens } from '../actions/tokens/index.ts'
import { type Command, flag, readFlags } from './command.ts'
import { listAll } from './list-all.ts'
import { callerFor, withSite } from './open-site.ts'
import { printList } from './table.ts'

export const tokenList: Command = {
  usage: 'token list [--json]',
  summary: 'Lists the personal tokens: id, scope, account, last use, expiry, name.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const items = await withSite(io, async (site) => listAll(site, await callerFor(site), tokens.list))
    printList(io, items, {
      json: values.json,
      header: ['ID', 'SCOPE', 'ACCOUNT', 'LAST USED', 'EXPIRES', 'NAME'],
      rowOf: (one) => [one.id, one.scope, one.account, one.last_used ?? '-', one.expires_at ?? '-', one.name],
      none: 'There are no tokens yet. Try: postern token create',
    })
  },
}
