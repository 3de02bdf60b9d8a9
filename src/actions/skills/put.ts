import { Type } from 'typebox'
import { formatSkill, maxFileBytes, maxWhenLength, oneLine, slugPattern } from '../../skills/skill-file.ts'
import type { SkillRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { skillItem, beforeWriting, findSkill, leanItem, wholeItem } from './skill-item.ts'
import { boundedText, closed, slugForm } from '../../base/schema.ts'

export const put = action('SVC_Skills.put', {
  title: 'Write [the skill {title}|a skill]',
  summary: 'Creates a skill, or replaces the skill with this slug.',
  did: 'wrote [the skill {title}|a skill]',
  tier: 'admin',
  effect: 'write',
  touches: 'site',
  revisioned: true,
  input: closed({
    slug: Type.String({
      description: 'The name: lower-case letters, digits and hyphens.',
      pattern: slugPattern,
      title: slugForm,
      maxLength: 64,
    }),
    when: boundedText('When an assistant should read the skill, in one line.', maxWhenLength),
    text: boundedText('The instruction, in Markdown.', maxFileBytes),
  }),
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
