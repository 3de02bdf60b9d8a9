// Opens the site for a command, even while a service runs, and finds the caller for the actions that the command runs.

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { TObject } from 'typebox'
import { type ActionHandle, type AnswerOf, callAction, type InputOf } from '../actions/call/call-action.ts'
import type { Services, StoreServices } from '../actions/call/services.ts'
import { databasePath, keyPath } from '../backup/manifest.ts'
import { isSwapPending } from '../backup/swap.ts'
import type { Site } from '../app/compose.ts'
import { basePathOf, baseUrlText, type Config, readConfig } from '../base/config.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { callerOfAccount, findOldestAdmin, getAccount } from '../identity/account-store.ts'
import type { Caller } from '../identity/caller.ts'
import { unlessMissing } from '../base/missing.ts'
import { type Io, UsageError } from './command.ts'

/** The person at the shell of the server, without an account. */
export const operator: Caller = { tier: 'admin', account: null, token: null, door: 'cli', address: '' }

/** Reads the settings of the environment. @throws UsageError with one line per invalid setting */
export function configOf({ env }: Io): Config {
  try {
    return readConfig(env)
  } catch (error) {
    throw new UsageError(errorMessage(error), 'postern call SVC_Docs.get doc=settings')
  }
}

/**
 * Opens the site of the environment, calls `run` with it, and closes it. Log lines go only to the error log in the home.
 * @throws Failure `unavailable` if there is no site, so that a mistyped POSTERN_HOME doesn't create one
 */
export async function withSite<T>(io: Io, run: (site: Site) => Promise<T>): Promise<T> {
  await checkSite(configOf(io))
  return withNewSite(io, run)
}

/** True if the home of the settings has a site, or one that a killed restore left unfinished. */
export async function hasSite({ POSTERN_HOME: home, POSTERN_DATABASE_URL: url }: Config): Promise<boolean> {
  // With a PostgreSQL database, the home still has the key.
  const isThere = access(join(home, url === undefined ? databasePath : keyPath)).then(() => true)
  // If the database can't be reached, opening it gives the reason.
  return (await unlessMissing(isThere).catch(() => true)) ?? isSwapPending(home)
}

/** Checks that the home of the settings has a site. @throws Failure `unavailable` */
export async function checkSite(config: Config): Promise<void> {
  if (await hasSite(config)) return
  throw new Failure('unavailable', `There is no site in ${config.POSTERN_HOME}.`, {
    hint: 'name its folder in POSTERN_HOME, or make a new site there: postern admin create, postern serve',
  })
}

/** Like `withSite`, but creates the site if there is none. */
export async function withNewSite<T>(io: Io, run: (site: Site) => Promise<T>): Promise<T> {
  const config = configOf(io)
  // Loaded here, so that `--help` needs no database driver.
  const { openSite } = await import('../app/compose.ts')
  const site = await openSite(config, () => undefined)
  try {
    return await run(site)
  } finally {
    await site.close()
  }
}

/**
 * Returns the caller for an account, by e-mail address or id. The default is the oldest admin, or the operator if there is no
 * account yet.
 */
export async function callerFor(site: StoreServices, emailOrId?: string): Promise<Caller> {
  const account = emailOrId === undefined ? await findOldestAdmin(site.store.read) : await getAccount(site.store.read, emailOrId)
  if (account?.disabled === 1)
    throw new Failure('refused', `The account ${account.email} is disabled.`, { rule: 'who may not sign in may not call' })
  return account ? callerOfAccount(account, 'cli') : operator
}

/** The origin and base path of links in an answer, from the settings. */
export function originOf(config: Config): string {
  const base = config.POSTERN_BASE_URL
  const host = config.POSTERN_HOST.includes(':') ? `[${config.POSTERN_HOST}]` : config.POSTERN_HOST
  return base ? baseUrlText(base) : `http://${host}:${config.POSTERN_PORT}${basePathOf(config)}`
}

/** Runs an action and returns its answer. @throws Failure */
export async function callAs<I extends TObject, O extends TObject>(
  site: Services,
  caller: Caller,
  action: ActionHandle<I, O>,
  input: InputOf<I>,
): Promise<AnswerOf<O>> {
  const { data, failure } = await callAction(site, caller, action, input, {}, { origin: originOf(site.config) })
  if (failure) throw failure
  return data
}

/** Opens the site of the environment, runs an action as the usual caller, and returns its answer. @throws Failure */
export const callSite = <I extends TObject, O extends TObject>(io: Io, action: ActionHandle<I, O>, input: InputOf<I>) =>
  withSite(io, async (site) => callAs(site, await callerFor(site), action, input))
