// The file of settings that systemd reads for the installed service. The paths of the home and the backups are in the units, because they are the
// same on every machine.

import { readFile } from 'node:fs/promises'
import { unlessMissing } from '../missing.ts'
import { paths, type Places } from './places.ts'

/** Settings whose values are paths. */
const placed = ['POSTERN_HOME', 'POSTERN_BACKUPS']

/**
 * The variables of an environment file: one `NAME=VALUE` per line, perhaps with quotes.
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

/** The environment of the service, with the root before its paths. */
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

/** The text of a new file. */
export function settingsText(baseUrl: string | undefined): string {
  return [
    '# Settings of Postern on this machine, one per line. The document settings lists them. After a change: systemctl restart postern',
    baseUrl === undefined ? '# POSTERN_BASE_URL=https://example.org' : `POSTERN_BASE_URL=${baseUrl}`,
    '',
  ].join('\n')
}
