// Where an installed site lies on its machine. Below a root all of it lies in a folder, as it would on a machine whose root that is: what is
// written into files still names the places as they are seen from there.

import { join } from 'node:path'

/** As `systemd/` and `nginx/` name them too; a test holds that. */
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

/** The service's user and group. */
export const serviceUser = 'postern'

/** A machine, or a folder that stands for one. */
export interface Places {
  /** `''` for the machine itself. */
  readonly root: string
  /** Where a place is to be found from here. */
  at(path: string): string
}

/** @param root absolute; `''` or `/` for the machine itself */
export function placesBelow(root: string): Places {
  const base = root === '/' ? '' : root
  return { root: base, at: (path) => (base === '' ? path : join(base, path)) }
}
