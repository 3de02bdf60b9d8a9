import { getRelay } from './get-relay.ts'
import { list } from './list.ts'
import { resend } from './resend.ts'
import { setRelay } from './set-relay.ts'
import { test } from './test.ts'

export const mailActions = { list, getRelay, setRelay, test, resend } as const
