// The paths of the parts of an installed site. With a root, all of them are below that folder, as if it were the root of a
// machine. The text of the files still names the paths without the root.

import { join } from 'node:path'

/** The files in `systemd/` and `nginx/` name the same paths; a test compares them. */
export const paths = {
  program: '/opt/postern',
  releases: '/opt/postern/releases',
  current: '/opt/postern/current',
  lock: '/opt/postern/.lock',
  state: '/var/lib/postern',
  home: '/var/lib/postern/site',
  backups: '/var/backups/postern',
  etc: '/etc/postern',
  settings: '/etc/postern/postern.env',
  record: '/etc/postern/installed.json',
  units: '/etc/systemd/system',
  nginx: '/etc/nginx',
} as const

export const serviceUser = 'postern'

/** A machine, or a folder that represents one. */
export interface Places {
  /** `''` for the machine itself. */
  readonly root: string
  /** The path with the root before it. */
  at(path: string): string
}

/** @param root absolute; `''` or `/` for the machine itself */
export function placesBelow(root: string): Places {
  const base = root === '/' ? '' : root
  return { root: base, at: (path) => (base === '' ? path : join(base, path)) }
}
