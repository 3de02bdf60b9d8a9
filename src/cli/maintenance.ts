// `postern maintenance`: closes the site for a while, opens it again, or reports its state. Works while a service runs.

import { join } from 'node:path'
import type { AnswerOf, InputOf } from '../actions/call/call-action.ts'
import { settings } from '../actions/settings/index.ts'
import type { ProgramServices, SettingsServices } from '../actions/call/services.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { maintenanceFile } from '../settings/maintenance.ts'
import { formatDate } from '../settings/time-zone.ts'
import { type Command, flag, type Io, readWords, UsageError } from './command.ts'
import { callAs, callerFor, configOf, checkSite, withSite } from './open-site.ts'

type Answer = Pick<AnswerOf<typeof settings.maintenance.output>, 'item' | 'warnings'>

const words = ['on', 'off', 'status'] as const

export const maintenance: Command = {
  usage: 'maintenance on|off|status [--message TEXT] [--until TIME] [--json]',
  summary: 'Closes the site for a while, opens it again, or says which it is. Prints on or off.',
  details: [
    '--message T   The text for visitors and API callers.',
    '--until T     When the site opens again by itself, such as 2027-01-31T18:00, in the time zone of the site.',
    `Where the database can't be opened, create the file ${maintenanceFile} in the home instead. Its text is the message.`,
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, { message: { type: 'string' }, until: { type: 'string' }, json: flag })
    const word = words.find((one) => one === positionals[0])
    if (word === undefined || positionals.length > 1) throw new UsageError('On, off or status?', 'postern maintenance status')
    const { message, until } = values
    if (word === 'status' && (message !== undefined || until !== undefined))
      throw new UsageError('--message and --until go with "on".', 'postern maintenance on --message "Back at noon."')
    const input = {
      on: word === 'on',
      ...(message === undefined ? {} : { message }),
      ...(until === undefined ? {} : { until }),
    }
    const { item, warnings } = word === 'status' ? await withSite(io, readStatus) : await callOrPointToFile(io, input)
    io.out(values.json ? `${JSON.stringify(item)}\n` : `${item.on ? 'on' : 'off'}\n`)
    io.err(item.on ? `The site is closed${item.until === null ? '' : ` until ${item.until}`}.\n` : 'The site is open.\n')
    for (const warning of warnings) io.err(`${warning.message}\n`)
  },
}

/** Reads the state of the site, from the setting or from the file in the home, which takes precedence. */
async function readStatus({ config, maintenance: state }: ProgramServices & SettingsServices): Promise<Answer> {
  await state.look()
  const closed = state.now()
  const item = {
    on: closed !== undefined,
    message: closed?.message ?? null,
    until: closed?.until == null ? null : formatDate(closed.until),
    by_file: closed?.byFile === true,
  }
  const file = join(config.POSTERN_HOME, maintenanceFile)
  return {
    item,
    warnings: item.by_file
      ? [{ code: 'by_file', message: `The file ${file} keeps it closed. To open the site: rm ${file}` }]
      : [],
  }
}

/** Calls the action. @throws Failure that names the file, if the site can't be opened */
async function callOrPointToFile(io: Io, input: InputOf<typeof settings.maintenance.input>): Promise<Answer> {
  await checkSite(configOf(io))
  let opened = false
  try {
    return await withSite(io, async (site) => {
      opened = true
      return callAs(site, await callerFor(site), settings.maintenance, input)
    })
  } catch (error) {
    if (opened || error instanceof UsageError) throw error
    const file = join(configOf(io).POSTERN_HOME, maintenanceFile)
    const hint = input.on === true ? `echo 'Back at noon.' > ${file}` : `rm ${file}`
    const reason = errorMessage(error)
    throw new Failure('unavailable', `The site can't be opened: ${reason}`, { hint }, { cause: error })
  }
}
