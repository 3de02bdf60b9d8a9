// `postern serve`: the service itself, as `npm start` runs it.

import { type Command, parseFlags } from './command.ts'

export const serve: Command = {
  usage: 'serve',
  summary: 'Serves the site until it is told to stop; the log goes to standard output.',
  async run(args, io) {
    parseFlags(args, {})
    const { serve: serveSite } = await import('../serve.ts')
    return serveSite(io.env, io)
  },
}
