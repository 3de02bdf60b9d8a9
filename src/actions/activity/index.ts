import { digest } from './digest.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { mark } from './mark.ts'
import { undo } from './undo.ts'

export const activity = { list, get, mark, undo, digest } as const
