// Every setting from the environment: name, default, parser, help. Settings are read once at the start, and all invalid values are
// reported together.

import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import { levels } from './log.ts'
import { maskSecrets } from './mask.ts'
import { releases } from './release.ts'
import { trimEndOf } from './trim-text.ts'

/** The result of a parser: the value, or the expected form, which reads well after "must be". */
type Parsed<T> = { readonly value: T } | { readonly expected: string }

interface Setting<T> {
  readonly fallback: T
  readonly parse: (text: string) => Parsed<T>
  readonly help: string
}

const setting = <T>(fallback: T, parse: (text: string) => Parsed<T>, help: string): Setting<T> => ({ fallback, parse, help })

const wholeNumber =
  (min: number, max: number) =>
  (text: string): Parsed<number> => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= min && value <= max ? { value } : { expected: `a whole number from ${min} to ${max}` }
  }
const bytes = wholeNumber(1024, 1024 ** 3)
const seconds = wholeNumber(1, 86_400)
const oneOf =
  <const T extends string>(...choices: readonly T[]) =>
  (text: string): Parsed<T> => {
    const value = choices.find((choice) => choice === text)
    return value === undefined ? { expected: `one of ${choices.join(', ')}` } : { value }
  }
const list =
  (isGood: (item: string) => boolean, expected: string) =>
  (text: string): Parsed<readonly string[] | undefined> => {
    const items = text.split(/[\s,]+/).filter((item) => item !== '')
    return items.length > 0 && items.every(isGood) ? { value: items.map((item) => item.toLowerCase()) } : { expected }
  }

/** A site's canonical address. `path` is `''` or `/blog`. */
export interface BaseUrl {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly path: string
}

/** The address as a text, without a slash at the end. */
export const baseUrlText = ({ scheme, host, path }: BaseUrl): string => `${scheme}://${host}${path}`

const baseUrlExpected = 'an address such as https://example.org or https://example.org/blog, without query or fragment'

function baseUrl(text: string): Parsed<BaseUrl | undefined> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const scheme = url?.protocol.slice(0, -1)
  if (!url || (scheme !== 'http' && scheme !== 'https') || url.search || url.hash || url.username || url.password) {
    return { expected: baseUrlExpected }
  }
  const path = trimEndOf(url.pathname, '/')
  return basePathForm.test(path) ? { value: { scheme, host: url.host, path } } : { expected: baseUrlExpected }
}

const basePathForm = /^(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/

function basePath(text: string): Parsed<string | undefined> {
  const path = trimEndOf(text, '/')
  return basePathForm.test(path) ? { value: path } : { expected: 'a path such as /blog' }
}

const hostForm = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function proxyForm(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/')
  if (item === 'loopback' || item === 'unix' || item === 'none') return true
  const version = isIP(address)
  const maxBits = version === 4 ? 32 : 128
  // An IPv4-mapped IPv6 address counts as IPv4, so its prefix includes 96 fixed bits.
  const minBits = /^(?:0{0,4}:)+ffff:/i.test(address) ? 96 : 0
  return (
    version !== 0 &&
    rest.length === 0 &&
    !address.includes('%') &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= minBits && Number(bits) <= maxBits))
  )
}

function databaseUrl(text: string): Parsed<string | undefined> {
  return /^postgres(?:ql)?:\/\/[^\s#]+$/.test(text)
    ? { value: text }
    : {
        expected:
          'an address such as postgres://postern@db.example.org/postern; left out, the site keeps an SQLite file in POSTERN_HOME',
      }
}

const anyText = (text: string): Parsed<string> => ({ value: text })

/** The table of settings. A test compares it with src/docs/settings.md. */
export const settings = {
  POSTERN_HOME: setting(
    './site',
    (text) => ({ value: resolve(text) }),
    'Folder of the site: its database, keys and `user-content/`.',
  ),
  POSTERN_BACKUPS: setting<string | undefined>(
    undefined,
    (text) => ({ value: resolve(text) }),
    'Folder of the backups, with mode 700. If unset, `backups` in the home.',
  ),
  POSTERN_BACKUP_PASSPHRASE_FILE: setting<string | undefined>(
    undefined,
    (text) => ({ value: resolve(text) }),
    "File with the passphrase that seals backups. If unset, systemd's credential `postern-backup-passphrase`, if there is one.",
  ),
  POSTERN_MAIL_PASSWORD_FILE: setting<string | undefined>(
    undefined,
    (text) => ({ value: resolve(text) }),
    "File with the password of the mail relay in its first line. If unset, systemd's credential `postern-mail-password`, if there is one. A password that the admin stores comes before it.",
  ),
  POSTERN_HOST: setting('127.0.0.1', anyText, 'Address to listen on.'),
  POSTERN_PORT: setting(8080, wholeNumber(0, 65_535), 'TCP port to listen on; 0 takes any free port.'),
  POSTERN_PROCESSES: setting(
    1,
    wholeNumber(1, 64),
    'How many processes serve the site on this machine, for all cores of its processor. Each takes about 110 MB.',
  ),
  POSTERN_INSTANCE: setting<number | undefined>(
    undefined,
    (text): Parsed<number | undefined> => wholeNumber(1, 64)(text),
    'Which of these processes this one is. Only systemd sets it, in `postern@1.service` and so on.',
  ),
  POSTERN_BASE_URL: setting<BaseUrl | undefined>(
    undefined,
    baseUrl,
    'Canonical address, with the slug of a subdirectory install. If unset, advertised addresses follow the request.',
  ),
  POSTERN_BASE_PATH: setting<string | undefined>(
    undefined,
    basePath,
    'Slug of a subdirectory install, such as `/blog`, if `POSTERN_BASE_URL` is unset.',
  ),
  POSTERN_ALLOWED_HOSTS: setting<readonly string[] | undefined>(
    undefined,
    list((item) => hostForm.test(item), 'host names separated by commas'),
    "The site's own hosts, separated by commas. If unset, that of `POSTERN_BASE_URL` with and without `www.`.",
  ),
  POSTERN_TRUSTED_PROXIES: setting<readonly string[] | undefined>(
    ['loopback'],
    list(proxyForm, 'addresses, ranges such as 10.0.0.0/8, `loopback`, `unix` or `none`, separated by commas'),
    'Proxies whose `X-Forwarded-*` headers are used: addresses, ranges, `loopback`, `unix`, or `none`.',
  ),
  POSTERN_COMPAT: setting('1', oneOf(...releases), 'Release whose behaviour the site shows: `0.9`, `0.10`, `0.11` or `1`.'),
  POSTERN_DATABASE_URL: setting<string | undefined>(
    undefined,
    databaseUrl,
    'Address of a PostgreSQL database, such as `postgres://postern@db.example.org/postern`. If unset, the site keeps an SQLite file in the home.',
  ),
  POSTERN_DATABASE_PASSWORD_FILE: setting<string | undefined>(
    undefined,
    (text) => ({ value: resolve(text) }),
    "File with the password of the PostgreSQL role in its first line. If unset, systemd's credential `database-password`, if there is one.",
  ),
  POSTERN_CHROMIUM: setting<string | undefined>(
    undefined,
    (text) => (isAbsolute(text) ? { value: text } : { expected: 'an absolute path such as /run/postern-eyes.sock' }),
    'Chromium, which takes pictures of pages for assistants: `/run/postern-eyes.sock`, the socket of its unit, or the path of the program. If unset, there are none.',
  ),
  POSTERN_RATE_LIMITS: setting('on', oneOf('on', 'off'), '`off` turns off the limits on calls per minute, for load tests.'),
  POSTERN_LOG_LEVEL: setting(
    'info',
    oneOf(...levels),
    'Lowest level of log lines that are written: `debug`, `info`, `warn` or `error`.',
  ),
  POSTERN_ACCESS_LOG: setting(
    'off',
    oneOf('on', 'off'),
    '`on` also writes a line for each request. This costs about a tenth of the throughput.',
  ),

  POSTERN_MAX_HEADER_BYTES: setting(16 * 1024, bytes, 'Largest request line and headers together, in bytes.'),
  POSTERN_MAX_HEADERS: setting(200, wholeNumber(10, 1000), 'Most header lines in a request.'),
  POSTERN_MAX_JSON_BYTES: setting(6 * 1024 ** 2, bytes, 'Largest JSON body of a caller with a valid token, in bytes.'),
  POSTERN_MAX_ANONYMOUS_JSON_BYTES: setting(256 * 1024, bytes, 'Largest JSON body of a caller without a valid token, in bytes.'),
  POSTERN_MAX_JSON_DEPTH: setting(64, wholeNumber(8, 1000), 'Most levels of nesting in a JSON body.'),
  POSTERN_MAX_REQUESTS_PER_SOCKET: setting(1000, wholeNumber(1, 1_000_000), 'Most requests on one connection.'),
  POSTERN_HEADERS_SECONDS: setting(10, seconds, 'Time for the headers of a request to arrive.'),
  POSTERN_BODY_SECONDS: setting(30, seconds, 'Time for a JSON body to arrive.'),
  POSTERN_READER_SECONDS: setting(30, seconds, 'A client that reads nothing of its answer for this long is disconnected.'),
  POSTERN_KEEP_ALIVE_SECONDS: setting(75, seconds, 'How long an idle connection is kept. Use a higher value than in the proxy.'),
  POSTERN_STOP_SECONDS: setting(10, seconds, 'When the service stops, how long requests in flight may take to end.'),
  POSTERN_RENDER_SECONDS: setting(2, seconds, 'How long rendering one page may take.'),
  POSTERN_PICTURE_SECONDS: setting(30, seconds, 'How long reading one image, or making its sizes, may take.'),
  POSTERN_ACTION_SECONDS: setting(30, seconds, 'How long one action may take.'),
  POSTERN_WRITER_MS: setting(
    1000,
    wholeNumber(1, 60_000),
    'How long a call that writes many things may keep other writers waiting. A longer one becomes a job in slices, or is refused.',
  ),
  POSTERN_JOB_WAIT_SECONDS: setting(
    20,
    seconds,
    'After this long, a call whose work may take longer, such as a backup, is answered with a job. Use a lower value than the read timeout of the proxy.',
  ),
  POSTERN_TOKEN_CALLS_PER_MINUTE: setting(3000, wholeNumber(1, 10_000_000), 'Most calls of one token per minute.'),
  POSTERN_ANONYMOUS_CALLS_PER_MINUTE: setting(
    300,
    wholeNumber(1, 10_000_000),
    'Most calls without a token, and requests for missing paths, from one address (IPv6: one /64) per minute.',
  ),
  POSTERN_REGISTRATIONS_PER_HOUR: setting(
    30,
    wholeNumber(1, 10_000_000),
    'Most registrations of apps from one address per hour.',
  ),
  POSTERN_TOKEN_REQUESTS_PER_MINUTE: setting(
    60,
    wholeNumber(1, 10_000_000),
    'Most requests to the token and revocation endpoints from one address per minute.',
  ),
  POSTERN_SIGN_INS_PER_ACCOUNT: setting(
    5,
    wholeNumber(1, 10_000),
    'Most failed sign-ins of one account from one address in 15 minutes; always on.',
  ),
  POSTERN_SIGN_INS_PER_ADDRESS: setting(
    20,
    wholeNumber(1, 10_000),
    'Most failed sign-ins from one address in 15 minutes; always on.',
  ),
} as const satisfies Record<string, Setting<never> | Setting<unknown>>

type SettingName = keyof typeof settings
type ValueOf<S> = S extends Setting<infer T> ? T : never

/** The settings, frozen, by name. */
export type Config = { readonly [K in SettingName]: ValueOf<(typeof settings)[K]> }

/**
 * Reads the settings from the environment. An empty value counts as unset.
 * @throws Error with one line per invalid value, which names the setting, the value and what it must be
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const entries = Object.entries(settings as Record<string, Setting<unknown>>).map(([name, { fallback, parse }]) => {
    const text = env[name]?.trim() ?? ''
    const unset = typeof fallback === 'string' ? parse(fallback) : { value: fallback }
    const parsed: Parsed<unknown> = text === '' ? unset : parse(text)
    if ('value' in parsed) return [name, parsed.value]
    problems.push(`${name}=${maskSecrets(text)} makes no sense: it must be ${parsed.expected}.`)
    return [name, fallback]
  })
  const read = Object.fromEntries(entries) as Config
  const files = credentials.map(([setting, name]) => [setting, read[setting] ?? credentialOf(env, name)] as const)
  const config: Config = Object.freeze({ ...read, ...Object.fromEntries(files) })
  const { POSTERN_BASE_URL: base, POSTERN_BASE_PATH: path } = config
  if (base && path !== undefined && path !== base.path) {
    problems.push(
      `POSTERN_BASE_PATH=${path} disagrees with POSTERN_BASE_URL, whose path is ${base.path || '/'}: leave one of them out.`,
    )
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return config
}

/** The settings that name a file with a secret, and the credential that has it where a setting is unset. */
const credentials = [
  ['POSTERN_BACKUP_PASSPHRASE_FILE', 'postern-backup-passphrase'],
  ['POSTERN_DATABASE_PASSWORD_FILE', 'database-password'],
  ['POSTERN_MAIL_PASSWORD_FILE', 'postern-mail-password'],
] as const

/** The file of a credential that systemd provides; undefined if there is none. @see systemd.exec(5) "LoadCredential=" */
function credentialOf(
  { CREDENTIALS_DIRECTORY: folder }: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const path = folder === undefined || folder === '' ? undefined : join(folder, name)
  return path !== undefined && existsSync(path) ? path : undefined
}

/** Returns names in the environment that look like settings, but are none. A start warns about them: they may be misspelt. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).filter((name) => name.startsWith('POSTERN_') && !Object.hasOwn(settings, name))
}

/** The folder that holds the backups. */
export function backupsFolderOf(config: Config): string {
  return config.POSTERN_BACKUPS ?? join(config.POSTERN_HOME, 'backups')
}

/** The slug before every path, such as `/blog`; `''` at the root of a host. */
export function basePathOf(config: Config): string {
  return config.POSTERN_BASE_URL?.path ?? config.POSTERN_BASE_PATH ?? ''
}

/** The site's own hosts; undefined if no setting names them. */
export function ownHostsOf(config: Config): readonly string[] | undefined {
  if (config.POSTERN_ALLOWED_HOSTS) return config.POSTERN_ALLOWED_HOSTS
  const host = config.POSTERN_BASE_URL?.host
  return host === undefined ? undefined : [host, host.startsWith('www.') ? host.slice(4) : `www.${host}`]
}
