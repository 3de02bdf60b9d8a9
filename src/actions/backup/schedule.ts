import { Type } from 'typebox'
import { everies, readSchedule, writeSchedule } from '../../backup/backup-store.ts'
import { formatDateOrNull } from '../../settings/time-zone.ts'
import { action, type Context } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'
import { closed } from '../../base/schema.ts'

const atLeast = (minimum: number, of: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 1000, description: `Keeps the newest backup of each of this many ${of}.` }))

export const schedule = action('SVC_Backup.schedule', {
  title: 'Change the schedule of backups',
  summary: 'Sets how often the service makes a backup by itself, and how many are kept.',
  did: 'changed the schedule of backups',
  tier: 'admin',
  effect: 'act',
  touches: 'backups',
  input: closed({
    every: Type.Enum([...everies], { description: 'How often. `off` where a system timer runs `postern backup`.' }),
    keep: Type.Optional(
      closed(
        { daily: atLeast(1, 'days'), weekly: atLeast(0, 'weeks'), monthly: atLeast(0, 'months') },
        { description: 'Members that are left out stay unchanged. The defaults are 7, 4 and 6.' },
      ),
    ),
  }),
  output: itemOutput(
    Type.Object({
      every: Type.Enum([...everies]),
      keep: Type.Object({ daily: Type.Integer(), weekly: Type.Integer(), monthly: Type.Integer() }),
      next_at: nullable(Type.String(), 'When the next backup is due; null where it is off.'),
    }),
  ),
  examples: [{ title: 'Every night, kept for two weeks', input: { every: 'day', keep: { daily: 14 } } }],
  async run({ db, now }: Pick<Context, 'db' | 'now'>, { every, keep }) {
    const before = await readSchedule(db)
    const after = await writeSchedule(db, every, { ...before.keep, ...keep }, now)
    const changed = [
      before.every === after.every ? [] : ['every'],
      JSON.stringify(before.keep) === JSON.stringify(after.keep) ? [] : ['keep'],
    ]
    const item = { every: after.every, keep: after.keep, next_at: formatDateOrNull(after.nextAt) }
    return { item, changed: changed.flat(), warnings: [], activity_id: null }
  },
})
