// `postern admin reset-password`: ends a password at once and prints a link to set a new one.

import { accounts } from '../actions/accounts/index.ts'
import { type Command, flag, oneWord, readWords } from './command.ts'
import { callAs, operator, withSite } from './open-site.ts'

export const adminResetPassword: Command = {
  usage: 'admin reset-password EMAIL [--second-factor] [--json]',
  summary: 'Ends the password, sessions and apps of an account, and prints a link to set a new password.',
  details: [
    '--second-factor   Also ends the second factors, for somebody who lost the phone and the recovery codes. All admins are told.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, { email: { type: 'string' }, 'second-factor': flag, json: flag })
    const words = values.email === undefined ? positionals : [values.email, ...positionals]
    const email = oneWord(words, 'Whose password?', 'postern admin reset-password you@example.org')
    const { item, link } = await withSite(io, async (site) =>
      callAs(site, operator, accounts.reset, { id: email, second_factor: values['second-factor'] }),
    )
    if (link === undefined) throw new Error('SVC_Accounts.reset answered no link.')
    io.out(values.json ? `${JSON.stringify({ id: item.id, email: item.email, link })}\n` : `${link}\n`)
    io.err(`The old password of ${item.email} no longer works. The link works once, within three days.\n`)
  },
}
