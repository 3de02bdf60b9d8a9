import { add } from './add.ts'
import { importList } from './import.ts'
import { list } from './list.ts'
import { preview } from './preview.ts'
import { remove } from './remove.ts'
import { send } from './send.ts'
import { resume, sent, stop } from './sent.ts'

export const subscribers = { list, add, remove, import: importList, preview, send, sent, stop, resume } as const
