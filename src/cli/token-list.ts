// `postern token list`: the usable personal tokens, one per line.

import { tokens } from '../actions/tokens/index.ts'
import type { TokenItem } from '../actions/shared/token-item.ts'
import { type Command, flag, readFlags } from './command.ts'
import { listAll } from './list-all.ts'
import { callerFor, withSite } from './open-site.ts'
import { printList } from './table.ts'

const header = ['ID', 'SCOPE', 'ACCOUNT', 'LAST USED', 'EXPIRES', 'NAME']

const rowOf = ({ id, scope, account, last_used: used, expires_at: ends, name }: TokenItem) =>
  [id, scope, account, used ?? '-', ends ?? '-', name] as const

export const tokenList: Command = {
  usage: 'token list [--json]',
  summary: 'Lists the personal tokens: id, scope, account, last use, expiry, name.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const items = await withSite(io, async (site) => listAll(site, await callerFor(site), tokens.list))
    printList(io, items, { json: values.json, header, rowOf, none: 'There are no tokens yet. Try: postern token create' })
  },
}
