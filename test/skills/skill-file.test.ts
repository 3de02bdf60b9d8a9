// A skill as a file: written and read as the same, whatever its text; and what makes no sense is said to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSkill, maxFileBytes, parseSkill, slugOf } from '../../src/skills/skill-file.ts'
import { fc } from '../properties.ts'

test('a skill is read as it was written', () =>
  fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('-', '\n', 'a', ':', '"', '#', 'é', '\r\n') }),
      async (when, text) => {
        const skill = { slug: 'a', when: when.replace(/\s+/g, ' ').trim(), text }
        assert.deepEqual(await parseSkill('a', await formatSkill(skill)), skill)
      },
    ),
  ))

for (const [name, slug] of [
  ['house-style.md', 'house-style'],
  ['a.md', 'a'],
  ['A.md', undefined],
  ['-a.md', undefined],
  ['..md', undefined],
  ['.md', undefined],
  ['a.txt', undefined],
  ['a/b.md', undefined],
  [`${'a'.repeat(65)}.md`, undefined],
] as const) {
  test(`the slug of ${name.slice(0, 20)} is ${String(slug)}`, () => assert.equal(slugOf(name), slug))
}

for (const [what, text, skill] of [
  ['without front matter', 'Be short.\n', { when: '', text: 'Be short.\n' }],
  ['with other fields too', '---\nwhen: Always\nby: me\n---\n\nBe short.', { when: 'Always', text: 'Be short.' }],
  ['with a `when` of two lines', '---\nwhen: |\n  Before\n  writing\n---\nx', { when: 'Before writing', text: 'x' }],
  ['that is empty', '', { when: '', text: '' }],
] as const) {
  test(`a file ${what} is a skill`, async () =>
    assert.deepEqual(await parseSkill('a', Buffer.from(text)), { slug: 'a', ...skill }))
}

for (const [what, bytes] of [
  ['that is not UTF-8', Buffer.from([0x61, 0xff])],
  ['that is too long', Buffer.alloc(maxFileBytes + 1, 0x61)],
  ['whose front matter is no YAML', Buffer.from('---\nwhen: [\n---\nx')],
  ['whose `when` is no text', Buffer.from('---\nwhen: [a]\n---\nx')],
  ['whose `when` is too long', Buffer.from(`---\nwhen: ${'a'.repeat(501)}\n---\nx`)],
] as const) {
  test(`a file ${what} makes no sense`, async () => assert.ok('fault' in (await parseSkill('a', bytes))))
}

test('a skill that would be too long as a file is refused', async () => {
  await assert.rejects(formatSkill({ slug: 'a', when: '', text: 'é'.repeat(maxFileBytes / 2) }), { code: 'too_large' })
})
