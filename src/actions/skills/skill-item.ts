// SVC_Skills: the owner's instructions to assistants. Each skill is also a file in `user-content/skills/`.

import { type Static, Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { Db } from '../../store/core/database.ts'
import type { SkillRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { adoptSkills } from '../shared/adopt-files.ts'
import { nonEmptyText } from '../../base/schema.ts'

export const skillItem = Type.Object({
  id: Type.String({ description: 'The slug.' }),
  slug: Type.String(),
  when: Type.String({ description: 'When to read the skill, in one line.' }),
  text: Type.Optional(Type.String({ description: 'The instruction, in Markdown.' })),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  revision: Type.Integer(),
})

export type SkillItem = Static<typeof skillItem>

export const beforeReading = async (context: Context): Promise<void> => adoptSkills(context)

export const beforeWriting = async (context: Context): Promise<void> => adoptSkills(context, { always: true })

export const idProperty = nonEmptyText('Slug of a skill.', 200)

export const findSkill = (db: Db, slug: string): Promise<SkillRow | undefined> =>
  db.selectFrom('skill').selectAll().where('slug', '=', slug).executeTakeFirst()

/** @throws Failure `not_found` */
export async function getSkill(db: Db, slug: string): Promise<SkillRow> {
  const row = await findSkill(db, slug)
  if (row) return row
  throw notFound('skill', slug, 'SVC_Skills.list lists them.')
}

export const leanItem = ({ slug, when, revision }: SkillRow): SkillItem => ({ id: slug, slug, when, revision })

export const wholeItem = (row: SkillRow): SkillItem => ({
  ...leanItem(row),
  text: row.text,
  created_at: formatDate(row.created_at),
  updated_at: formatDate(row.updated_at),
})
