// `postern token list`: the usable personal tokens, one per line.

import { type Command, readFlags } from './command.ts'
import { exit } from './exit.ts'
import { listAll } from './list-all.ts'
import { callerFor, withSite } from './open-site.ts'
import { printList } from './table.ts'

interface Item {
  readonly id: string
  readonly name: string
  readonly account: string
  readonly scope: string
  readonly last_used: string | null
  readonly expires_at: string | null
}

const header = ['ID', 'SCOPE', 'ACCOUNT', 'LAST USED', 'EXPIRES', 'NAME']

const rowOf = ({ id, scope, account, last_used: used, expires_at: ends, name }: Item) =>
  [id, scope, account, used ?? '-', ends ?? '-', name] as const

export const tokenList: Command = {
  usage: 'token list [--json]',
  summary: 'Lists the personal tokens: id, scope, account, last use, expiry, name.',
  async run(args, io) {
    const values = readFlags(args, { json: { type: 'boolean', default: false } })
    const items = await withSite(io, async (site) => listAll<Item>(site, await callerFor(site, undefined), 'SVC_Tokens.list'))
    printList(io, items, { json: values.json, header, rowOf, none: 'There are no tokens yet. Try: postern token create' })
    return exit.ok
  },
}
