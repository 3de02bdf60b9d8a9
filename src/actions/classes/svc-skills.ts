// SVC_Skills: the owner's instructions to assistants. Each skill is also a file in `user-content/skills/`.

import { type Static, Type } from 'typebox'
import { notFound } from '../../failure.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { formatSkill, maxFileBytes, maxWhenLength, oneLine, slugPattern } from '../../skills/skill-file.ts'
import type { Db } from '../../store/database.ts'
import type { SkillRow } from '../../store/schema.ts'
import { action, type Context } from '../action.ts'
import { adoptSkills } from '../adopt-skills.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../list.ts'
import { writeProperties } from '../write-answer.ts'

const skillItem = Type.Object({
  id: Type.String({ description: 'The slug.' }),
  slug: Type.String(),
  when: Type.String({ description: 'When to read the skill, in one line.' }),
  text: Type.Optional(Type.String({ description: 'The instruction, in Markdown.' })),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  revision: Type.Integer(),
})

export type SkillItem = Static<typeof skillItem>

const skillList: ListSpec<'skill'> = {
  table: 'skill',
  key: 'slug',
  fields: {
    id: { column: 'slug', kind: 'text', indexed: true },
    slug: { column: 'slug', kind: 'text', sort: true, indexed: true },
    when: { column: 'when', kind: 'text' },
    text: { column: 'text', kind: 'text' },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true },
  },
  sort: 'slug',
  search: ['slug', 'when', 'text'],
}

const beforeReading = async (context: Context): Promise<void> => adoptSkills(context)
const beforeWriting = async (context: Context): Promise<void> => adoptSkills(context, { always: true })

export const skillsList = action({
  class: 'SVC_Skills',
  name: 'list',
  title: 'List the skills',
  summary: "Lists the owner's instructions to assistants, each with when to read it.",
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(listProperties(skillList), { additionalProperties: false }),
  output: listOutput(skillItem),
  examples: [
    { title: 'All skills', input: {} },
    { title: 'Skills about prices', input: { search: 'prices' } },
  ],
  prepare: beforeReading,
  async run(context, input: ListInput) {
    const page = await listRows(context, skillList, input)
    return listAnswer(context, page, (row) => (context.select ? wholeItem(row as SkillRow) : leanItem(row as SkillRow)))
  },
})

const idProperty = Type.String({ description: 'Slug of a skill.', minLength: 1, maxLength: 200 })

export const skillsGet = action({
  class: 'SVC_Skills',
  name: 'get',
  title: 'Show a skill',
  summary: 'Shows one skill.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: skillItem }),
  examples: [{ title: 'One by its slug', input: { id: 'house-style' } }],
  prepare: beforeReading,
  run: async ({ db }, { id }) => ({ item: wholeItem(await getSkill(db, id)) }),
})

export const skillsPut = action({
  class: 'SVC_Skills',
  name: 'put',
  title: 'Write [the skill {title}|a skill]',
  summary: 'Creates a skill, or replaces the skill with this slug.',
  did: 'wrote [the skill {title}|a skill]',
  tier: 'admin',
  effect: 'write',
  failures: [],
  touches: 'site',
  revisioned: true,
  input: Type.Object(
    {
      slug: Type.String({
        description: 'The name: lower-case letters, digits and hyphens.',
        pattern: slugPattern,
        title: 'lower-case letters, digits and hyphens',
        maxLength: 64,
      }),
      when: Type.String({ description: 'When an assistant should read the skill, in one line.', maxLength: maxWhenLength }),
      text: Type.String({ description: 'The instruction, in Markdown.', maxLength: maxFileBytes }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: skillItem,
    created: Type.Boolean({ description: 'Whether the skill is new.' }),
    changed: Type.Array(Type.String()),
    ...writeProperties,
  }),
  examples: [
    {
      title: 'How to write',
      input: { slug: 'house-style', when: 'Before writing or changing a page', text: 'Short sentences. Prices with VAT.\n' },
    },
  ],
  prepares: [],
  prepare: beforeWriting,
  async run({ change, db, select }, given) {
    const skill = { slug: given.slug, when: oneLine(given.when.toWellFormed()), text: given.text.toWellFormed() }
    await formatSkill(skill) // throws too_large
    const item = (row: SkillRow) => (select ? wholeItem(row) : leanItem(row))
    const answered = { warnings: [], activity_id: null }
    const before = await findSkill(db, skill.slug)
    if (!before) {
      const row = await change.insert('skill', skill)
      return { item: item(row), created: true, changed: ['slug', 'when', 'text'], ...answered }
    }
    const { row, changed } = await change.update('skill', before, skill)
    return { item: item(row), created: false, changed: [...changed], ...answered }
  },
})

export const skillsDelete = action({
  class: 'SVC_Skills',
  name: 'delete',
  title: 'Delete [the skill {title}|a skill]',
  summary: 'Deletes a skill and its file.',
  did: 'deleted [the skill {title}|a skill]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: skillItem, ...writeProperties }),
  examples: [{ title: 'One by its slug', input: { id: 'house-style' } }],
  prepares: [],
  prepare: beforeWriting,
  async run({ change, db, select }, { id }) {
    const row = await getSkill(db, id)
    await change.remove('skill', row)
    return { item: select ? wholeItem(row) : leanItem(row), warnings: [], activity_id: null }
  },
})

const findSkill = (db: Db, slug: string): Promise<SkillRow | undefined> =>
  db.selectFrom('skill').selectAll().where('slug', '=', slug).executeTakeFirst()

/** @throws Failure `not_found` */
async function getSkill(db: Db, slug: string): Promise<SkillRow> {
  const row = await findSkill(db, slug)
  if (row) return row
  throw notFound('skill', slug, 'SVC_Skills.list lists them.')
}

const leanItem = ({ slug, when, revision }: SkillRow): SkillItem => ({ id: slug, slug, when, revision })

const wholeItem = (row: SkillRow): SkillItem => ({
  ...leanItem(row),
  text: row.text,
  created_at: formatDate(row.created_at),
  updated_at: formatDate(row.updated_at),
})
