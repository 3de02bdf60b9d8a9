// Skills and their files in `user-content/skills/`, for the mirror that synchronizes them.

import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../store/core/database.ts'
import { type FileMirror, Mirror } from '../store/core/file-mirror.ts'
import { formatSkill, parseSkill, type Skill, slugOf } from './skill-file.ts'
import { openSkillFolder } from './skill-folder.ts'

export type SkillMirror = FileMirror<Skill>

const nameOf = (slug: string): string => `${slug}.md`

export function openSkillMirror({ read: db }: Store, home: string, clock: Clock, log: Log): SkillMirror {
  const folder = openSkillFolder(join(home, 'user-content', 'skills'))
  return new Mirror({
    ...folder,
    kind: 'skill',
    word: 'skill',
    // A retry can help: maintenance refuses every edit, but only for a time.
    retries: true,
    clock,
    log,
    nameOf,
    findRow: (name) =>
      db
        .selectFrom('skill')
        .selectAll()
        .where('slug', '=', slugOf(name) ?? '')
        .executeTakeFirst(),
    listRows: async () => new Map((await db.selectFrom('skill').selectAll().execute()).map((row) => [nameOf(row.slug), row])),
    async read({ name, fault }) {
      const slug = slugOf(name)
      if (slug === undefined || fault !== undefined) return { fault: fault ?? '' }
      const bytes = await folder.read(name)
      return bytes && parseSkill(slug, bytes)
    },
    write: async (name, row) => folder.write(name, await formatSkill(row)),
    isSame: (skill: Skill, row) => skill.when === row.when && skill.text === row.text,
  })
}
