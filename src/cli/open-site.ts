// The site as a command has it: open beside a service that may be running, and a caller to dispatch actions as.

import type { Services } from '../actions/services.ts'
import { dispatch } from '../actions/dispatch.ts'
import type { CallOptions } from '../actions/options.ts'
import type { Site } from '../compose.ts'
import { basePathOf, type Config, readConfig } from '../config.ts'
import { Failure } from '../failure.ts'
import { callerOfAccount, findOldestAdmin, getAccount } from '../identity/account-store.ts'
import type { Caller } from '../identity/caller.ts'
import type { JsonText } from '../json.ts'
import { type Io, UsageError } from './command.ts'

/** Whoever has the operator's shell, without an account. */
export const operator: Caller = { tier: 'admin', account: null, token: null, door: 'cli', address: '' }

/** The settings of the environment. @throws UsageError with a line for each that makes no sense */
export function configOf({ env }: Io): Config {
  try {
    return readConfig(env)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), 'README, "Settings"')
  }
}

/** Opens the site of the environment, runs something with it, and lets go of it. Its log goes to the home's error log alone. */
export async function withSite<T>(io: Io, run: (site: Site) => Promise<T>): Promise<T> {
  const config = configOf(io)
  // Loaded here, so that `--help` needs no database driver.
  const { openSite } = await import('../compose.ts')
  const site = await openSite(config, () => undefined)
  try {
    return await run(site)
  } finally {
    await site.close()
  }
}

/** The account of an e-mail or id as a caller; without one the oldest admin, or the operator where there is no account yet. */
export async function callerFor(site: Services, emailOrId: string | undefined): Promise<Caller> {
  const account = emailOrId === undefined ? await findOldestAdmin(site.store.read) : await getAccount(site.store.read, emailOrId)
  if (account?.disabled === 1)
    throw new Failure('refused', `The account ${account.email} is disabled.`, { rule: 'who may not sign in may not call' })
  return account ? callerOfAccount(account, 'cli') : operator
}

/** Where links of an answer lead, as far as the settings tell. */
export function originOf(config: Config): string {
  const base = config.POSTERN_BASE_URL
  const host = config.POSTERN_HOST.includes(':') ? `[${config.POSTERN_HOST}]` : config.POSTERN_HOST
  return base ? `${base.scheme}://${base.host}${base.path}` : `http://${host}:${config.POSTERN_PORT}${basePathOf(config)}`
}

/** Runs a call that must succeed. @throws Failure */
export async function callAction(
  site: Services,
  caller: Caller,
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<JsonText> {
  const outcome = await dispatch(site, caller, { name, input, options }, { origin: originOf(site.config), jobWaitMs: Infinity })
  if (outcome.ok) return outcome.data
  throw outcome.failure
}
