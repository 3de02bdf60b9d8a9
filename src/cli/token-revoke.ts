// `postern token revoke`: revokes personal tokens.

import { tokens } from '../actions/tokens/index.ts'
import { type Command, flag, readWords, UsageError } from './command.ts'
import { callSite } from './open-site.ts'

export const tokenRevoke: Command = {
  usage: 'token revoke ID… [--json]',
  summary: 'Revokes personal tokens, by id or name. A running service sees it within a second.',
  async run(args, io) {
    const { values, positionals: ids } = readWords(args, { json: flag })
    if (ids.length === 0) throw new UsageError('Which token?', 'postern token list')
    const { done, unchanged } = await callSite(io, tokens.revoke, { ids, expect: new Set(ids).size })
    io.out(values.json ? `${JSON.stringify({ done, unchanged })}\n` : done.map((id) => `${id}\n`).join(''))
    for (const id of unchanged) io.err(`${id} was revoked already.\n`)
  },
}
