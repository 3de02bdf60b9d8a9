// The place elsewhere and the backups there, in the answers of SVC_Backup.

import { type Static, Type } from 'typebox'
import type { CopyThere } from '../../backup/elsewhere/elsewhere.ts'
import { findTarget, type StoredTarget } from '../../backup/elsewhere/target-store.ts'
import { targetKinds } from '../../backup/elsewhere/target.ts'
import { formatDateOrNull } from '../../settings/time-zone.ts'
import type { Db } from '../../store/core/database.ts'
import { nullable } from '../call/write-answer.ts'

export const targetItem = Type.Object({
  kind: Type.Enum([...targetKinds]),
  address: Type.String(),
  folder: Type.String(),
  user: Type.String({ description: 'The user, or the access key of S3.' }),
  region: Type.String(),
  bucket: Type.String(),
  bucket_in: Type.Enum(['path', 'host']),
  host_key: Type.String(),
  key_file: Type.String(),
  private_network: Type.Boolean(),
  every: Type.String(),
  check_every: Type.String(),
  tried_at: nullable(Type.String(), 'When backups were last sent, or were to be sent.'),
  reached_at: nullable(Type.String(), 'When that last succeeded.'),
  error: nullable(Type.String(), 'Why the last attempt failed; null where it succeeded.'),
})

/** The target without its secret, which no answer contains. */
function targetItemOf({ settings, every, checkEvery, row }: StoredTarget): Static<typeof targetItem> {
  const { tried_at: tried, reached_at: reached, error } = row
  const state = { tried_at: formatDateOrNull(tried), reached_at: formatDateOrNull(reached), error }
  return { ...settings, every, check_every: checkEvery, ...state }
}

/** Reads the target for an answer; null if none is set. */
export async function readTargetItem(db: Db): Promise<Static<typeof targetItem> | null> {
  const target = await findTarget(db)
  return target ? targetItemOf(target) : null
}

export const copyItem = Type.Object({
  file: Type.String(),
  bytes: Type.Integer(),
  ours: Type.Boolean({ description: 'Whether this site sent it. Pruning removes no other.' }),
  note: nullable(Type.String()),
  sent_at: nullable(Type.String()),
  verified_at: nullable(Type.String(), 'When it was last downloaded and verified with success.'),
  error: nullable(Type.String(), 'What is wrong with it; null where no fault is known.'),
})

export function copyItemOf({ name, bytes, row }: CopyThere): Static<typeof copyItem> {
  const { note = null, sent_at: sent = null, verified_at: verified = null, error = null } = row ?? {}
  const times = { sent_at: formatDateOrNull(sent), verified_at: formatDateOrNull(verified) }
  return { file: name, bytes, ours: row !== undefined, note, ...times, error }
}
