// `postern maintenance`: closes the site for a while, or opens it again, beside a service that may be running.

import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { maintenanceFile } from '../settings/maintenance.ts'
import { type Command, type Io, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { callAction, callerFor, configOf, holdSite, withSite } from './open-site.ts'

interface Answer {
  readonly item: {
    readonly on: boolean
    readonly message: string | null
    readonly until: string | null
    readonly by_file: boolean
  }
  readonly warnings: readonly { readonly message: string }[]
}

export const maintenance: Command = {
  usage: 'maintenance on|off [--message TEXT] [--until TIME] [--json]',
  summary: 'Closes the site for a while, or opens it again, and prints which.',
  details: [
    '--message T   What visitors and callers are told.',
    '--until T     When the site opens again by itself, such as 2027-01-31T18:00, in its own Time Zone.',
    `Where the database can't be opened, a file ${maintenanceFile} in the home does the same; its text is the message.`,
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, {
      message: { type: 'string' },
      until: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const [word] = positionals
    if ((word !== 'on' && word !== 'off') || positionals.length > 1) throw new UsageError('On or off?', 'postern maintenance on')
    const { message, until } = values
    const input = {
      on: word === 'on',
      ...(message === undefined ? {} : { message }),
      ...(until === undefined ? {} : { until }),
    }
    const { item, warnings } = await callOrPointToFile(io, input)
    io.out(values.json ? `${JSON.stringify(item)}\n` : `${item.on ? 'on' : 'off'}\n`)
    io.err(item.on ? `The site is closed${item.until === null ? '' : ` until ${item.until}`}.\n` : 'The site is open.\n')
    for (const warning of warnings) io.err(`${warning.message}\n`)
    return exit.ok
  },
}

/** @throws Failure that names the file, where the site can't be opened */
async function callOrPointToFile(io: Io, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  await holdSite(configOf(io))
  let opened = false
  try {
    return await withSite(io, async (site) => {
      opened = true
      return (await callAction(site, await callerFor(site, undefined), 'SVC_Settings.maintenance', input)).parse() as Answer
    })
  } catch (error) {
    if (opened || error instanceof UsageError) throw error
    const file = join(configOf(io).POSTERN_HOME, maintenanceFile)
    const hint = input['on'] === true ? `echo 'Back at noon.' > ${file}` : `rm ${file}`
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('unavailable', `The site can't be opened: ${reason}`, { hint }, { cause: error })
  }
}
