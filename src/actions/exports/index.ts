import { run } from './run.ts'

export const exportActions = { run } as const
