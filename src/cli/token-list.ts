// `postern token list`: the usable personal tokens, a line each.

import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { callAction, callerFor, withSite } from './open-site.ts'

interface Item {
  readonly id: string
  readonly name: string
  readonly account: string
  readonly scope: string
  readonly last_used: string | null
  readonly expires_at: string | null
}

export const tokenList: Command = {
  usage: 'token list [--json]',
  summary: 'Lists the personal tokens: id, scope, account, last use, expiry, name.',
  async run(args, io) {
    const values = parseFlags(args, { json: { type: 'boolean', default: false } })
    const items = await withSite(io, async (site) => {
      const caller = await callerFor(site, undefined)
      const all: Item[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const input = { limit: 100, ...(cursor === undefined ? {} : { cursor }) }
        const page = (await callAction(site, caller, 'SVC_Tokens.list', input)).parse() as {
          items: Item[]
          next_cursor: string | null
        }
        all.push(...page.items)
        cursor = page.next_cursor
      }
      return all
    })
    if (values.json) io.out(`${JSON.stringify(items)}\n`)
    else
      for (const { id, scope, account, last_used: used, expires_at: ends, name } of items)
        io.out(`${[id, scope, account, used ?? '-', ends ?? '-', name].join('\t')}\n`)
    if (items.length === 0) io.err('There is no token yet: postern token create\n')
    return exit.ok
  },
}
