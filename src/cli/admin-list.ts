// `postern admin list`: the accounts of people who may sign in, one per line.

import { accounts } from '../actions/accounts/index.ts'
import { type Command, flag, readFlags } from './command.ts'
import { listAll } from './list-all.ts'
import { callerFor, withSite } from './open-site.ts'
import { printList } from './table.ts'

export const adminList: Command = {
  usage: 'admin list [--json]',
  summary: 'Lists the accounts: id, e-mail address, role, whether active or disabled, last seen in the admin, name.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const items = await withSite(io, async (site) => listAll(site, await callerFor(site), accounts.list))
    printList(io, items, {
      json: values.json,
      header: ['ID', 'EMAIL', 'ROLE', 'STATE', 'LAST SEEN', 'NAME'],
      rowOf: (one) => [one.id, one.email, one.role, one.disabled ? 'disabled' : 'active', one.last_seen ?? '-', one.name],
      none: 'There are no accounts yet. Try: postern admin create',
    })
  },
}
