import { create } from './create.ts'
import { deleteBackup } from './delete.ts'
import { get } from './get.ts'
import { getTarget } from './get-target.ts'
import { list } from './list.ts'
import { listCopies } from './list-copies.ts'
import { restore } from './restore.ts'
import { schedule } from './schedule.ts'
import { send } from './send.ts'
import { setTarget } from './set-target.ts'
import { testTarget } from './test-target.ts'
import { verify } from './verify.ts'
import { verifyCopy } from './verify-copy.ts'

export const backups = {
  list,
  get,
  create,
  verify,
  restore,
  delete: deleteBackup,
  schedule,
  getTarget,
  setTarget,
  testTarget,
  listCopies,
  verifyCopy,
  send,
} as const
