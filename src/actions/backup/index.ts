import { create } from './create.ts'
import { deleteBackup } from './delete.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { restore } from './restore.ts'
import { schedule } from './schedule.ts'
import { verify } from './verify.ts'

export const backups = { list, get, create, verify, restore, delete: deleteBackup, schedule } as const
