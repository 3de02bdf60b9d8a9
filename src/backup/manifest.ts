// The manifest, which is the last file of a backup, and the paths that a backup may contain. `unpack.ts` and `check-copy.ts`
// compare the backup with its manifest.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure } from '../base/failure.ts'
import { keyFileName } from '../identity/site-key.ts'

/** Path of the manifest in the archive. */
export const manifestName = 'manifest.json'

/** Path of the database, in a home and in an archive. */
export const databasePath = 'data/postern.db'

/** The folders of a home that are saved and restored as a whole. Logs are not part of a backup. */
export const savedFolders: readonly string[] = ['uploads', 'plugins', 'themes', 'skills'].map((name) => `user-content/${name}`)

/** Path of the site's key, in a home and in an archive. */
export const keyPath = `data/${keyFileName}`

const leftOut = Type.Object({ path: Type.String(), why: Type.String() })
/** A file that is not in a backup, with the reason. */
export type LeftOut = Static<typeof leftOut>

const count = Type.Integer({ minimum: 0 })
const manifestSchema = Type.Object({
  /** Version of the archive format. */
  format: Type.Literal(1),
  id: Type.String({ pattern: '^[0-9a-z]{26}$' }),
  /** The release of Postern that made the backup. */
  version: Type.String(),
  /** The last migration of the database. */
  schema: Type.String(),
  created_at: Type.String(),
  note: Type.Union([Type.String(), Type.Null()]),
  files: Type.Array(Type.Object({ path: Type.String(), bytes: count, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })),
  /** Number of rows in each table. */
  rows: Type.Record(Type.String(), count),
  /** Files in the saved folders that are not in the backup, each with the reason. */
  left_out: Type.Optional(Type.Array(leftOut)),
})
const validator = Compile(manifestSchema)

export type BackupManifest = Static<typeof manifestSchema>

/** Parses a manifest. @throws Failure `unprocessable` for an invalid manifest, or one of a later format */
export function readManifestText(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Failure('unprocessable', `The backup's ${manifestName} is no JSON: the backup is damaged.`, {}, { cause })
  }
  if (validator.Check(value)) return value
  const later = typeof value === 'object' && value !== null && 'format' in value && Number(value.format) > 1
  throw new Failure(
    'unprocessable',
    later
      ? 'This backup was made by a newer Postern: restore it with that release.'
      : `The backup's ${manifestName} is not as it must be: the backup is damaged.`,
  )
}

/** The longest name of a file or folder, in bytes. File systems have this limit. */
const maxNameBytes = 255

/**
 * True if a backup may contain a file at this path. Allowed are the database, the site's key, and plain paths below the saved
 * folders. A path that could lead elsewhere, such as one with `..`, is not allowed.
 */
export function mayHold(path: string): boolean {
  if (path === databasePath || path === keyPath) return true
  const parts = path.split('/')
  const isPlain = (part: string) => part !== '' && part !== '.' && part !== '..' && !/[\p{Cc}\\]/u.test(part)
  const plain = path.length <= 4096 && parts.every((part) => isPlain(part) && Buffer.byteLength(part) <= maxNameBytes)
  return plain && savedFolders.some((folder) => path.startsWith(`${folder}/`))
}
