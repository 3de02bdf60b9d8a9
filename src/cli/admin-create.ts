// `postern admin create`: creates an account whose password is typed at the terminal. SVC_Accounts.create sends a link instead.

import { commit, recordChange } from '../actions/call/commit.ts'
import type { Site } from '../app/compose.ts'
import { createAccount } from '../identity/account-store.ts'
import { type AccountRole, roles } from '../identity/caller.ts'
import { hashPassword, checkPassword } from '../identity/password.ts'
import type { AccountRow } from '../store/core/schema.ts'
import { type Command, flag, readFlags, UsageError } from './command.ts'
import { operator, withNewSite } from './open-site.ts'
import { readPassword } from './read-input.ts'

const example = 'postern admin create --email you@example.org --name You'

export const adminCreate: Command = {
  usage: 'admin create --email E --name N [--role admin|content|contributor|read] [--json]',
  summary: 'Creates an account. The password comes from standard input; on a terminal you are asked for it.',
  details: ['--role R   The most the account may do: admin (default), content, contributor or read.'],
  async run(args, io) {
    const values = readFlags(args, {
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string', default: 'admin' },
      json: flag,
    })
    const { email, name, json } = values
    const role = roles.find((one) => one === values.role)
    if (email === undefined || name === undefined) throw new UsageError('An account needs an e-mail address and a name.', example)
    if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}.`, example)
    const password = await readPassword(io)
    checkPassword(password)
    const account = await withNewSite(io, async (site) =>
      makeAccount(site, { email, name, role, passwordHash: await hashPassword(password) }),
    )
    io.out(json ? `${JSON.stringify({ id: account.id, email: account.email, name: account.name, role })}\n` : `${account.id}\n`)
    io.err(`${account.email} can sign in now. Next: postern token create --account ${account.email}\n`)
  },
}

/** Creates the account. The effect is `act`, because undo must not remove an account. */
async function makeAccount(
  site: Site,
  given: { readonly email: string; readonly name: string; readonly role: AccountRole; readonly passwordHash: string },
): Promise<AccountRow> {
  const { email, name, role } = given
  const recording = {
    caller: operator,
    call: 'SVC_Accounts.create',
    effect: 'act',
    summary: 'Creates an account.',
    input: { email, name, role },
    now: site.clock.now(),
  } as const
  return commit(site, recording.call, (open) => recordChange(open, recording, (change) => createAccount(change, given)))
}
