// The file of settings that systemd reads for the installed service. The paths of the home and the backups are in the units,
// because they are the same on every machine.

import { readFile } from 'node:fs/promises'
import { invalid } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { trimEndOf } from '../base/trim-text.ts'
import { paths, type Places } from './places.ts'

/** Settings whose values are paths. */
const placed = ['POSTERN_HOME', 'POSTERN_BACKUPS']

/**
 * Parses the variables of an environment file: one `NAME=VALUE` per line, optionally with quotes.
 * @see systemd.exec(5) "EnvironmentFile="
 */
export function parseSettings(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').map((line) => /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line))
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1], unquoted(found[2] ?? '')]] : [])))
}

function unquoted(text: string): string {
  const value = text.trim()
  const [, inDouble, inSingle] = /^(?:"(.*)"|'(.*)')$/.exec(value) ?? []
  return inDouble ?? inSingle ?? value
}

/** Reads the environment of the service, with the root before its paths. */
export async function readServiceEnv(places: Places): Promise<Readonly<Record<string, string>>> {
  const text = (await unlessMissing(readFile(places.at(paths.settings), 'utf8'))) ?? ''
  const env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_ENV: 'production',
    POSTERN_HOME: paths.home,
    POSTERN_BACKUPS: paths.backups,
    ...parseSettings(text),
  }
  for (const name of placed) env[name] = places.at(env[name] ?? '')
  return env
}

/** The setting for the number of the service's processes. */
const processesName = 'POSTERN_PROCESSES'
const maxProcesses = 64

/** Parses a number of processes; undefined for any other text. */
export function parseProcesses(text: string): number | undefined {
  const count = Number(text)
  return /^\d{1,2}$/.test(text) && count >= 1 && count <= maxProcesses ? count : undefined
}

/** The values that `parseProcesses` accepts. */
export const processesExpected = `a whole number from 1 to ${maxProcesses}`

/**
 * Reads the number of processes from the settings; the default is 1.
 * @throws Failure `invalid` for anything but a number of processes
 */
export async function readProcesses(places: Places): Promise<number> {
  const text = (await readServiceEnv(places))[processesName]?.trim() || '1'
  const count = parseProcesses(text)
  if (count !== undefined) return count
  throw invalid(
    processesName,
    `${paths.settings} has ${processesName}=${text}: it must be ${processesExpected}.`,
    processesExpected,
  )
}

/** Returns the text of a file of settings with another number of processes. 1 is the default, and needs no line. */
export function withProcesses(text: string, processes: number): string {
  const others = text.split('\n').filter((line) => !new RegExp(`^\\s*${processesName}=`).test(line))
  const rest = trimEndOf(others.join('\n'), '\n')
  const head = rest === '' ? '' : `${rest}\n`
  return processes === 1 ? head : `${head}${processesName}=${processes}\n`
}

/** Returns the text of a new file of settings. */
export function settingsText(baseUrl: string | undefined, processes: number): string {
  const text = [
    '# Settings of Postern on this machine, one per line. The document settings lists them. After a change: systemctl restart postern',
    baseUrl === undefined ? '# POSTERN_BASE_URL=https://example.org' : `POSTERN_BASE_URL=${baseUrl}`,
    '',
  ].join('\n')
  return withProcesses(text, processes)
}
