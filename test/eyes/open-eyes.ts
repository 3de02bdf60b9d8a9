// Chromium for the code that takes pictures. It runs with its sandbox, which it has for nobody that is root: there, a script goes on as
// the user nobody.

import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Log } from '../../src/base/log.ts'

const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((one) => existsSync(one))

/** Debian's Chromium, or another. */
export const program = found ?? ''

/** The words that go on as nobody, for whom the profile has to be. */
export const asNobody = process.getuid?.() === 0 ? 'setpriv --reuid=65534 --regid=65534 --clear-groups ' : ''

export interface Eyes {
  /** A program that is Chromium. */
  readonly place: string
  /** The processes of Chromium that were started, each with its profile. */
  started(): Promise<readonly { readonly pid: number; readonly profile: string }[]>
}

/** @param instead what runs in place of Chromium, as a line of a script */
export async function openEyes(t: TestContext, instead = `exec ${asNobody}${program} "$@"`): Promise<Eyes> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [place, list] = [join(folder, 'chromium'), join(folder, 'started')]
  const script = [
    '#!/bin/sh',
    'for word; do case $word in --user-data-dir=*) profile=${word#*=};; esac; done',
    `echo $$ $profile >> ${list}`,
    ...(asNobody === '' ? [] : ['chown 65534:65534 $profile']),
    instead,
    '',
  ]
  await writeFile(list, '')
  await writeFile(place, script.join('\n'))
  await chmod(place, 0o755)
  return {
    place,
    async started() {
      const lines = (await readFile(list, 'utf8')).trim().split('\n')
      return lines.map((line) => line.split(' ')).map(([pid, profile = '']) => ({ pid: Number(pid), profile }))
    },
  }
}

/** The processes of a group that run. */
export async function runningIn(group: number): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.filter((stat) => {
    const [state, , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(of) === group && state !== 'Z'
  })
}

const nothing = (): void => undefined
export const noLog = { debug: nothing, info: nothing, warn: nothing, error: nothing } as unknown as Log
