// `postern processes`: prints the number of processes of the installed service, changes it, or restarts them in turn.

import { cpus } from 'node:os'
import { type Command, flag, readWords, UsageError } from './command.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'
import { readOption } from './nginx.ts'

export const processes: Command = {
  usage: 'processes [N] [--restart] [--dry-run] [--json]',
  summary: 'Changes how many processes the installed service has. Prints their number, and the state of each to standard error.',
  details: [
    'N                      From 1 to 64. More processes than the machine has processors rarely help. Without N, nothing changes.',
    '--restart              Restarts the processes in turn, also where their number stays the same.',
    ...installedDetails,
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, { ...installedOptions, restart: flag })
    const [word, stray] = positionals
    if (stray !== undefined) throw new UsageError(`This command does not take the argument ${JSON.stringify(stray)}.`)
    const { planProcesses } = await import('../install/processes.ts')
    const { parseProcesses, processesExpected, readProcesses, readServiceEnv } = await import('../install/settings-file.ts')
    const { readPresences, recentDeaths, statesOf } = await import('../processes/presence.ts')
    const { places, service } = await readInstalled(values)
    const count = word === undefined ? await readProcesses(places) : readOption('N', word, parseProcesses, processesExpected)
    const { restart, 'dry-run': dryRun } = values
    if (word !== undefined || restart) {
      const makePlan = () => planProcesses({ places, service, processes: count, restart })
      const { steps } = await carryOut(io, { places, command: 'processes', dryRun }, makePlan)
      if (steps.length === 0) io.err(`The service is set up for ${count} already.\n`)
    }
    if (count > cpus().length) io.err(`This machine has ${cpus().length} processors. More processes than that rarely help.\n`)
    const now = Date.now()
    const found = count === 1 || dryRun ? [] : await readPresences((await readServiceEnv(places))['POSTERN_HOME'] ?? '')
    const instances = statesOf(found, count, now).map(({ instance, state, presence }) => ({
      instance,
      state,
      pid: presence?.pid ?? null,
      release: presence?.release ?? null,
      started_at: presence ? new Date(presence.startedAt).toISOString() : null,
      deaths: presence ? recentDeaths(presence, now) : 0,
    }))
    const shown = count === 1 || dryRun ? [] : instances
    io.out(values.json ? `${JSON.stringify({ processes: count, instances: shown })}\n` : `${count}\n`)
    for (const { instance, state, pid, release, started_at: at, deaths } of shown)
      io.err(
        `Process ${instance}: ${state}${pid === null ? '' : `, pid ${pid}, ${release}, started ${at}, died ${deaths} times in the last hour`}\n`,
      )
  },
}
