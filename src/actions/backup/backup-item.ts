// A backup in the answers of SVC_Backup. `backup/` makes and verifies them.

import { type Static, Type } from 'typebox'
import { isSealedName } from '../../backup/folder.ts'
import { passphraseBytes } from '../../backup/passphrase.ts'
import type { Touches } from '../../identity/check-limits.ts'
import { nonEmptyText } from '../../base/schema.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { BackupRow } from '../../store/core/schema.ts'
import { nullable } from '../call/write-answer.ts'

export const backupItem = Type.Object({
  id: Type.String(),
  file: Type.String({ description: 'The name in the folder of backups.' }),
  created_at: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
  note: nullable(Type.String()),
  schema: Type.String({ description: 'The last migration of its database.' }),
  verified_at: nullable(Type.String(), 'When it was last verified with success.'),
  error: nullable(Type.String(), 'What is wrong with the backup; null where no fault is known.'),
  node: nullable(Type.String(), 'The host name of the machine that has the file. Null where an earlier release made the backup.'),
  sealed: Type.Boolean({ description: 'Whether it is encrypted with a passphrase. Only a sealed backup can be downloaded.' }),
})

/** Returns a backup for answers and for `postern backup --json`. */
export function backupItemOf({ version: _version, ...row }: BackupRow): Static<typeof backupItem> {
  const dates = { created_at: formatDate(row.created_at), verified_at: formatDateOrNull(row.verified_at) }
  return { ...row, ...dates, sealed: isSealedName(row.file) }
}

export const passphraseProperty = (what: string) =>
  Type.Optional(
    Type.String({
      description: `${what} A token with limits can't give a passphrase.`,
      minLength: passphraseBytes.min,
      maxLength: passphraseBytes.max,
    }),
  )

export const idProperty = nonEmptyText(
  'Id or file name of a backup; `latest` is the newest good backup, `oldest` the oldest.',
  200,
)

/** Anyone who knows the passphrase can open the archive, and so the whole site. A limited token must not set one. */
export const touchesByPassphrase = {
  least: 'access' as const,
  by: ({ passphrase }: { readonly passphrase?: string }): Touches => (passphrase === undefined ? 'access' : 'unlimited'),
}
