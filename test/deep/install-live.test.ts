// README's way from a fresh machine to a site over TLS, typed as it stands there, and what comes after it. The machine is this one with folders of
// its own laid over its /etc, /opt and /var, a network of its own, and a few lines in systemd's place; users, nginx and the rest are real.

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeRelease } from '../installed.ts'
import { root } from '../site.ts'

/** Lays empty or writable folders over the machine's own, which stay as they are. */
const prepare = `set -euo pipefail
mount --make-rprivate /
mount -t tmpfs tmpfs "$scratch/over"
for name in etc var; do
  mkdir -p "$scratch/over/$name/upper" "$scratch/over/$name/work"
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=$scratch/over/$name/upper,workdir=$scratch/over/$name/work" "/$name"
done
`

/** A home on one disk, as it is on a machine; the network's own loopback. */
const furnish = `mkdir -p /var/lib/postern /var/backups/postern /etc/nginx/sites-enabled
for place in /opt /run /var/lib/postern /var/backups; do mount -t tmpfs tmpfs "$place"; done
ip link set lo up
`

/** The verbs that an install and an upgrade use. The service listens by itself: no socket is held here. */
const systemctl = `#!/bin/bash
pid=/run/postern.pid
begin() {
  set -a; . /etc/postern/postern.env; set +a
  export POSTERN_HOME=/var/lib/postern/site POSTERN_BACKUPS=/var/backups/postern
  cd /opt/postern/current
  setsid setpriv --reuid postern --regid postern --clear-groups node dist/main.js >>/run/postern.log 2>&1 </dev/null & echo $! >$pid
}
end() { if [ -e $pid ]; then kill "$(cat $pid)"; while kill -0 "$(cat $pid)"; do sleep 0.05; done; rm $pid; fi 2>/dev/null; }
case "$*" in
  'reload-or-restart nginx') nginx -s reload 2>/dev/null || nginx ;;
  'reload nginx') nginx -s reload ;;
  restart*postern.service) end; begin ;;
  start*postern.service) begin ;;
  stop*postern.service | disable*) end ;;
esac
exit 0
`

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```shell\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines)

/** What such a machine is made of. */
const trial = `mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc
ip link set lo up
`

function whyNot(): string | false {
  if (process.getuid?.() !== 0) return 'only root may make a machine within the machine'
  if (/^\/(?:root|home)\//.test(process.execPath)) return 'this node is somebody’s own, which no service may run'
  try {
    execFileSync('unshare', ['--mount', '--net', '--pid', '--fork', 'sh', '-ec', trial], { stdio: 'ignore' })
    return false
  } catch {
    return 'this machine lets nobody make another within it'
  }
}

test(
  'README’s lines for a server lead to a site over TLS, then to a newer release, back, and away',
  { skip: whyNot() },
  async (t) => {
    assert.ok(blocks.length >= 3)
    const scratch = await mkdtemp(join(tmpdir(), 'postern-live-'))
    t.after(() => rm(scratch, { recursive: true, force: true }))
    const next = await makeRelease({ version: '1.1.0', migration: '0900-later' })
    for (const name of ['over', 'bin']) await mkdir(join(scratch, name))
    await writeFile(join(scratch, 'bin', 'systemctl'), systemctl, { mode: 0o755 })
    const say = (text: string) => `echo '--- ${text}'\n`
    const script = [
      prepare,
      furnish,
      ...blocks,
      `cd ${root}\n`,
      say('upgraded'),
      `scripts/postern upgrade --from ${next.folder}\n`,
      'stat --format "%a %U:%G %n" /opt/postern/releases/* /etc/postern/* /var/lib/postern /var/lib/postern/site/data /var/lib/postern/site/data/*\n',
      say('back'),
      'scripts/postern rollback --restore\n',
      'curl -sS http://127.0.0.1:8080/readyz\n',
      say('gone'),
      'scripts/postern uninstall\n',
      'ls /opt /etc/nginx/conf.d /var/lib/postern; nginx -t && nginx -s stop\n',
    ].join('')
    await writeFile(join(scratch, 'script'), script)
    const env = { ...process.env, PATH: `${join(scratch, 'bin')}:${process.env['PATH']}:/usr/sbin:/sbin`, scratch }
    const own = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
    const done = await promisify(execFile)('unshare', [...own, 'bash', join(scratch, 'script')], {
      cwd: root,
      env,
      timeout: 600_000,
    })
    const [installed = '', upgraded = '', back = '', gone = ''] = done.stdout.split(/^--- .*\n/m)

    assert.match(installed, /^\/etc\/nginx\/conf\.d\/postern\.conf$[^]*^ready$[^]*^https:\/\/example\.org\/admin\/\?code=\S+$/m)
    assert.match(done.stderr, /^Set up: https:\/\/example\.org\/admin\/\?code=\S+$/m)
    assert.match(upgraded, /^1\.1\.0-[0-9a-f]{12}$/m)
    assert.match(upgraded, /^755 root:root \/opt\/postern\/releases\/1\.1\.0-/m)
    assert.match(upgraded, /^640 root:postern \/etc\/postern\/postern\.env$/m)
    assert.match(upgraded, /^750 postern:postern \/var\/lib\/postern$/m)
    assert.match(upgraded, /^700 postern:postern \/var\/lib\/postern\/site\/data$/m)
    const foreign = upgraded
      .split('\n')
      .filter((line) => line.includes('/site/data/') && !line.startsWith('600 postern:postern '))
    assert.deepEqual(foreign, [])
    assert.match(back, /^1\.0\.0-[0-9a-f]{12}\nready$/m)
    assert.doesNotMatch(gone.split('\n/opt:')[1] ?? 'no listing', /postern\.conf|^postern$/m)
    assert.match(gone, /^site$/m)
  },
)
