// Checks that all processes of the site on this machine are alive, run the same release, and don't die repeatedly.

import { ok, type Verdict, warning } from '../../doctor/finding.ts'
import { programRelease } from '../../base/program.ts'
import { type Presence, type PresenceState, readPresences, recentDeaths, statesOf } from '../../processes/presence.ts'
import type { Check } from './health-check.ts'

const manyDeaths = 3

const sentences: Readonly<Record<Exclude<PresenceState, 'running'>, string>> = {
  missing: 'has never started',
  stopped: 'was stopped',
  silent: 'hangs, or has died and was not started again',
}

/** Describes the fault of the site's processes; undefined if there is none. */
function processesFault(
  found: readonly Presence[],
  { count, release, now }: { readonly count: number; readonly release: string; readonly now: number },
): Verdict | undefined {
  for (const { instance, state, presence } of statesOf(found, count, now)) {
    const unit = `postern@${instance}`
    const restart = `sudo systemctl restart ${unit}   (its last lines: journalctl -u ${unit} -n 50)`
    if (state !== 'running')
      return warning(`Process ${instance} of ${count} ${sentences[state]}. The others serve the site.`, restart, state)
    if (presence && presence.release !== release)
      return warning(`Process ${instance} of ${count} runs ${presence.release}, and this one runs ${release}.`, restart)
    const deaths = presence ? recentDeaths(presence, now) : 0
    if (deaths >= manyDeaths)
      return warning(
        `Process ${instance} of ${count} has died ${deaths} times in the last hour: it crashes, hangs, or runs out of memory.`,
        `journalctl -u ${unit} --priority=err --since=-1h`,
      )
  }
  return undefined
}

/** Reports a running process whose number is above the setting. The only process of a site has no number. */
function leftOver(found: readonly Presence[], count: number, now: number): Verdict | undefined {
  const places = count === 1 ? 0 : count
  const highest = Math.max(0, ...found.map(({ instance }) => instance))
  const left = statesOf(found, highest, now).find(({ instance, state }) => instance > places && state === 'running')
  return (
    left &&
    warning(
      `Process ${left.instance} of several runs, but POSTERN_PROCESSES is ${count}.`,
      `sudo systemctl disable --now postern@${left.instance}`,
    )
  )
}

export const processesCheck: Check = {
  id: 'processes',
  async run({ config, clock }) {
    const { POSTERN_HOME: home, POSTERN_PROCESSES: count } = config
    const found = await readPresences(home)
    const now = clock.now()
    const fault =
      (count > 1 ? processesFault(found, { count, release: programRelease(), now }) : undefined) ?? leftOver(found, count, now)
    return fault ?? ok(count === 1 ? 'One process serves the site.' : `${count} processes serve the site.`)
  },
}
