import { create } from './create.ts'
import { remove } from './delete.ts'
import { deliveries } from './deliveries.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { redeliver } from './redeliver.ts'
import { test } from './test.ts'
import { update } from './update.ts'

export const webhooks = { list, get, deliveries, create, update, delete: remove, test, redeliver } as const
