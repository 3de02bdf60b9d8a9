// `postern admin list`: the accounts of people who may sign in, one per line.

import type { AccountItem } from '../actions/accounts/account-item.ts'
import { accounts } from '../actions/accounts/index.ts'
import { type Command, flag, readFlags } from './command.ts'
import { listAll } from './list-all.ts'
import { callerFor, withSite } from './open-site.ts'
import { printList } from './table.ts'

const header = ['ID', 'EMAIL', 'ROLE', 'STATE', 'LAST SEEN', 'NAME']

const rowOf = ({ id, email, role, disabled, last_seen: seen, name }: AccountItem) =>
  [id, email, role, disabled ? 'disabled' : 'active', seen ?? '-', name] as const

export const adminList: Command = {
  usage: 'admin list [--json]',
  summary: 'Lists the accounts: id, e-mail address, role, whether active or disabled, last seen in the admin, name.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const items = await withSite(io, async (site) => listAll(site, await callerFor(site), accounts.list))
    printList(io, items, { json: values.json, header, rowOf, none: 'There are no accounts yet. Try: postern admin create' })
  },
}
