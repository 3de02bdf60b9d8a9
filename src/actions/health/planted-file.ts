// Files that checks plant in the home, to request them through the public address.

import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unknown, type Verdict } from '../../doctor/finding.ts'
import { probePrefix } from '../../identity/home.ts'

export interface Planted {
  readonly folder: string
  readonly name: string
  readonly path: string
  readonly nonce: string
}

/** Writes a file with a random name and content into a folder such as `/user-content/logs`. The caller deletes it. */
export async function plant(home: string, folder: string, ending: string): Promise<Planted> {
  const name = `${probePrefix}${randomBytes(8).toString('hex')}${ending}`
  const path = join(home, folder, name)
  const nonce = randomBytes(16).toString('hex')
  await writeFile(path, nonce, { flag: 'wx', mode: 0o644 })
  return { folder, name, path, nonce }
}

/** The verdict of a check that needs the public address. @param what `how uploads are served` */
export const noAddress = (what: string): Verdict =>
  unknown(
    `It is unknown ${what}: the address of the site is not set.`,
    'Set POSTERN_BASE_URL to the address of the site, then: systemctl restart postern',
  )
