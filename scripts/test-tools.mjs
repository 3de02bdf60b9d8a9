// The programs that tests need in addition to Node and git: how to find each, and Debian's package that contains it. `node
// scripts/test-tools.mjs` prints the packages of the missing ones, one per line.

import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders of programs. Those of administrators' programs are not in every user's path. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

const inPath = (...names) => names.some((name) => folders.some((folder) => existsSync(join(folder, name))))

/**
 * Debian's programs of PostgreSQL are in a folder of their version, which is not in the path. The client package also has such a
 * folder, without `initdb`.
 */
function hasPostgres() {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder) : []
  return versions.some((version) => existsSync(join(folder, version, 'bin', 'initdb'))) || inPath('initdb')
}

/** nginx's module for the listing of WebDAV, which other systems may have built in. */
const hasDavExt = () => existsSync('/usr/lib/nginx/modules/ngx_http_dav_ext_module.so')

/** The programs: `program` is the name on the command line, `name` the one for people. */
const tools = [
  { program: 'curl', name: 'curl', package: 'curl' },
  { program: 'openssl', name: 'OpenSSL', package: 'openssl' },
  { program: 'python3', name: 'Python 3', package: 'python3' },
  { program: 'ps', name: 'ps', package: 'procps' },
  { program: 'nginx', name: 'nginx', package: 'nginx' },
  { program: 'nginx-dav-ext', name: 'WebDAV of nginx', package: 'libnginx-mod-http-dav-ext', isThere: hasDavExt },
  { program: 'sshd', name: 'sshd', package: 'openssh-server' },
  { program: 'apache2', name: 'Apache', package: 'apache2-bin' },
  { program: 'caddy', name: 'Caddy', package: 'caddy' },
  { program: 'systemd-analyze', name: 'systemd', package: 'systemd' },
  {
    program: 'chromium',
    name: 'Chromium',
    package: 'chromium',
    isThere: () => inPath('chromium', 'chromium-browser', 'google-chrome'),
  },
  { program: 'postgres', name: 'PostgreSQL', package: 'postgresql', isThere: hasPostgres },
]

/** Programs that npm needs for `sqlite3` if that has no ready build. */
const compiler = [
  { program: 'make', package: 'make' },
  { program: 'g++', package: 'g++' },
]

const isMissing = ({ program, isThere = () => inPath(program) }) => !isThere()

/** The programs that are not on this machine. */
export const missingTools = () => tools.filter(isMissing)

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const tool of [...tools, ...compiler].filter(isMissing)) console.log(tool.package)
