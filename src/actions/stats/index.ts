import { site } from './site.ts'

export const stats = { site } as const
