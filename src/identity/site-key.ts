// The secret of a site, which is in its own file next to the database, and the keys derived from it. Without the secret, all
// sealed cookies, client ids and cursors are invalid, so it is never replaced silently.

import { hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import type { Store } from '../store/core/database.ts'

/** Name of the key's file in `data/`. */
export const keyFileName = 'site.key'

const keyBytes = 32
const maxSecrets = 16

/** Derives one key per purpose. A key reveals nothing about the others. */
export interface SiteKey {
  /** Returns 32 bytes, which stay the same for a purpose until the secret changes (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer
  /**
   * Returns the keys of the current and all earlier secrets, newest first, for values that must stay valid when the secret changes.
   */
  deriveAll(purpose: string): readonly Buffer[]
}

/**
 * Opens the key of a site. The first start creates it. The database stores the key's fingerprint, so that a lost or foreign key
 * is detected. To change the secret, put 32 new bytes before the old ones in the file. The fingerprint is that of the last,
 * oldest secret.
 * @throws Failure `refused` if the key is lost, damaged, of another site, or readable by others; one line says what to do (attack
 * 121)
 */
export async function openSiteKey(dataDir: string, store: Store): Promise<SiteKey> {
  const path = join(dataDir, keyFileName)
  // The fingerprint is read before the key. If another first start creates both in between, this one finds the key.
  const fact = store.read.selectFrom('site_fact').select('value').where('name', '=', 'key_fingerprint')
  const known = (await fact.executeTakeFirst())?.value
  const secret = (await readKey(path)) ?? (known === undefined ? await makeKey(path) : undefined)
  if (!secret)
    throw new Failure(
      'refused',
      `The site's key ${path} is lost: put it back from a backup (data/${keyFileName}, mode 600). ${whyNoNewOne}`,
    )
  const key = createSiteKey(secret)
  const fingerprint = fingerprintOf(key)
  if ((known ?? (await keepFingerprint(store, fingerprint))) === fingerprint) return key
  throw new Failure(
    'refused',
    `The key in ${path} belongs to another site: put back the one that was backed up with this database.`,
  )
}

/**
 * Reads the key of a home whose database isn't available; undefined if there is none.
 * @throws Failure `refused` as `openSiteKey` does
 */
export async function findSiteKey(dataDir: string): Promise<SiteKey | undefined> {
  const secret = await readKey(join(dataDir, keyFileName))
  return secret && createSiteKey(secret)
}

/** True if the bytes of a key file are a key of the site with this fingerprint. */
export function isKeyOf(secret: Buffer, fingerprint: string): boolean {
  return isWhole(secret) && fingerprintOf(createSiteKey(secret)) === fingerprint
}

/** The fingerprint of the site's first secret. */
const fingerprintOf = (key: SiteKey): string => key.deriveAll('fingerprint').at(-1)?.toString('base64url') ?? ''

const isWhole = ({ length }: Buffer): boolean => length > 0 && length % keyBytes === 0 && length <= maxSecrets * keyBytes

const whyNoNewOne = 'Postern makes no new one for a site that had one, since all that was signed or sealed with it would be void.'

/** Creates the key from the bytes of a key file: secrets of 32 bytes each, the current one first. */
export function createSiteKey(secrets: Buffer): SiteKey {
  const partAt = (at: number) => secrets.subarray(at * keyBytes, (at + 1) * keyBytes)
  const [current = secrets, ...earlier] = Array.from({ length: secrets.length / keyBytes }, (_, at) => partAt(at))
  const derived = new Map<string, Buffer>()
  const derive = (purpose: string) => {
    let key = derived.get(purpose)
    if (!key) derived.set(purpose, (key = deriveFrom(current, purpose)))
    return key
  }
  return { derive, deriveAll: (purpose) => [derive(purpose), ...earlier.map((secret) => deriveFrom(secret, purpose))] }
}

const deriveFrom = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `postern ${purpose}`, keyBytes))

async function readKey(path: string): Promise<Buffer | undefined> {
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) {
      throw new Failure(
        'refused',
        `The site's key ${path} has mode ${(mode & 0o777).toString(8)}, so others may read it: chmod 600 ${path}`,
      )
    }
    const secret = await readFile(path)
    if (isWhole(secret)) return secret
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = (error as { code?: unknown }).code
    if (code === 'ENOENT') return undefined
    throw new Failure(
      'refused',
      `The site's key ${path} can't be read (${String(code)}): it must belong to the user who runs Postern.`,
      {},
      { cause: error },
    )
  }
  throw new Failure(
    'refused',
    `The site's key ${path} is damaged (it must be ${keyBytes} bytes, or several such, the newest first): put it back from a backup. ${whyNoNewOne}`,
  )
}

/**
 * Creates the key, or reads it if another first start was faster. The file gets its name only when it is complete and flushed to
 * disk.
 */
async function makeKey(path: string): Promise<Buffer | undefined> {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(randomBytes(keyBytes))
    await file.chmod(0o600)
    await file.sync()
    await link(draft, path).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await unlink(draft)
  }
  return readKey(path)
}

/** Stores the fingerprint unless there already is one, and returns the stored one. */
async function keepFingerprint(store: Store, fingerprint: string): Promise<string> {
  return store.transaction(async (db) => {
    const fact = { name: 'key_fingerprint', value: fingerprint }
    await db
      .insertInto('site_fact')
      .values(fact)
      .onConflict((on) => on.column('name').doNothing())
      .execute()
    const row = await db.selectFrom('site_fact').select('value').where('name', '=', fact.name).executeTakeFirstOrThrow()
    return row.value
  })
}
