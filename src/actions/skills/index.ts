import { deleteSkill } from './delete.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { put } from './put.ts'

export const skills = { list, get, put, delete: deleteSkill } as const
