// Finds the caller that a bearer secret belongs to, with a cache, and records when each token or grant was last used.
// `SVC_Tokens` manages personal tokens, and `doors/oauth/` issues access tokens. Only hashes of secrets are stored.

import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { CacheCounts } from '../base/metrics.ts'
import { createByteCache } from '../store/core/byte-cache.ts'
import type { Store } from '../store/core/database.ts'
import type { Caller, Door } from './caller.ts'
import { findAccess, findPersonal, type Known } from './known-secret.ts'
import { createTimeFloor } from './time-floor.ts'

export interface TokenStore {
  /**
   * Returns the caller of a personal or access token, synchronously if the token is cached. Undefined if the token is unknown,
   * revoked or expired, its account is disabled, its grant has ended, or its limits exclude the address. A success counts as a
   * use of the token.
   */
  authenticate(secret: string, door: Door, address: string): Caller | undefined | Promise<Caller | undefined>
  /** Records a use. Uses are written together, at most once per minute. */
  used(tokenId: string): void
  /** The last use that this process knows of and has not yet written; UTC milliseconds. */
  lastUsed(tokenId: string): number | undefined
  flush(): Promise<void>
  /** The time that expiry is compared with, in UTC milliseconds; it does not run backwards (`time-floor.ts`). */
  now(): number
  /** Empties the cache, because tokens or accounts changed. */
  clear(): void
  /** Writes the last uses and stops. */
  close(): Promise<void>
}

const flushMs = 60_000
const maxCacheBytes = 4 * 1024 * 1024

/** A secret is `pst_` or `psa_` and 32 bytes. Other texts are not looked up. */
const secretForm = /^ps[ta]_[A-Za-z0-9_-]{43}$/

/** Creates a personal token: its secret, which is shown once, and the hash to store. */
export function mintToken(): { readonly secret: string; readonly hash: string } {
  const secret = `pst_${randomBytes(32).toString('base64url')}`
  return { secret, hash: hashSecret(secret) }
}

/** The SHA-256 of a secret, in base64url. A fast hash is enough, because 256 random bits can't be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Opens the tokens of a store, with a cache and a timer that writes the uses. */
export async function openTokenStore(store: Store, clock: Clock, log: Log, counts?: CacheCounts): Promise<TokenStore> {
  const cache = createByteCache<Known | undefined>({ maxBytes: maxCacheBytes, sizeOf: sizeOfKnown, counts })
  const time = await createTimeFloor(store, clock)
  const uses = createUses(store, clock, log)

  const callerOf = (known: Known, door: Door, address: string): Caller | undefined => {
    const { token, account, tier, mayComeFrom, expiresAt } = known
    if (expiresAt !== null && expiresAt <= time.now()) return undefined
    if (mayComeFrom && !mayComeFrom(address)) return undefined
    uses.used(token.id)
    return { tier, account, token, door, address }
  }

  return {
    authenticate(secret, door, address) {
      if (!secretForm.test(secret)) return undefined
      const key = hashSecret(secret)
      const known = cache.get(key)
      if (known) return callerOf(known, door, address)
      const find = secret.startsWith('pst_') ? findPersonal : findAccess
      return cache.load(key, (one) => find(store.read, one)).then((found) => found && callerOf(found, door, address))
    },
    ...uses,
    now: () => time.now(),
    clear: () => cache.clear(),
  }
}

/** The approximate size of a cache entry in memory, with its compiled address ranges. */
function sizeOfKnown({ token, account }: Known): number {
  return 1000 + token.name.length + account.name.length + account.email.length + 20 * JSON.stringify(token.limits).length
}

function createUses(store: Store, clock: Clock, log: Log): Pick<TokenStore, 'used' | 'lastUsed' | 'flush' | 'close'> {
  let noted = new Map<string, number>()
  let open = true

  const flush = async () => {
    if (noted.size === 0) return
    const uses = noted
    noted = new Map()
    try {
      await writeUses(store, uses)
    } catch (error) {
      // These uses are written next time. A later use of the same token, recorded in the meantime, replaces its earlier one.
      noted = new Map([...uses, ...noted])
      log.warn('last use of tokens not written', { error })
    }
  }
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  return {
    used: (tokenId) => void (open && noted.set(tokenId, clock.now())),
    lastUsed: (tokenId) => noted.get(tokenId),
    flush,
    async close() {
      open = false
      clearInterval(timer)
      await flush()
    },
  }
}

/**
 * Writes all uses with one statement. A token or grant that no longer exists is skipped, and a later use by another process stays.
 */
async function writeUses({ write }: Store, uses: ReadonlyMap<string, number>): Promise<void> {
  const rows = sql.join([...uses].map(([id, at]) => sql`(${id}, cast(${at} as bigint))`))
  await sql`insert into token_use (token_id, used_at)
    select u.column1, u.column2 from (values ${rows}) as u
    where exists (select 1 from token where token.id = u.column1) or exists (select 1 from app_grant where app_grant.id = u.column1)
    on conflict (token_id) do update set used_at = excluded.used_at where excluded.used_at > token_use.used_at`.execute(write)
}
