// `postern serve`: runs the service, as `npm start` does.

import { type Command, readFlags } from './command.ts'

export const serve: Command = {
  usage: 'serve',
  summary: 'Serves the site until it is stopped. The log goes to standard output.',
  async run(args, io) {
    readFlags(args, {})
    const { start } = await import('../app/start.ts')
    return start(io.env, io)
  },
}
