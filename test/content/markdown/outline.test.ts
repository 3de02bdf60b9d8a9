// The outline against the parser that makes the page: the same headings, the same ids; and sections that can be exchanged.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fc } from '../../properties.ts'
import { createMarkdown } from '../../../src/content/markdown/markdown.ts'
import { createOutliner, findSection, type Outliner, sectionText } from '../../../src/content/markdown/outline.ts'

let toHtml: (markdown: string) => string
let outliner: Outliner

before(async () => {
  const markdown = await createMarkdown()
  toHtml = (source) => markdown.render(source).html
  outliner = createOutliner(markdown)
})

const outline = (source: string) => outliner.outline(source)
const bodyWith = (source: string, ref: string, text: string) => {
  const replaced = outliner.replaceSection(source, ref, text)
  return 'body' in replaced ? replaced.body : replaced.ids
}

const text = ['Intro', '', '# One', 'a', '## Two', 'b', '', 'Three', '-----', 'c', '# One', 'd', ''].join('\n')

test('a section runs to the next heading of its level or a higher one', () => {
  assert.deepEqual(
    outline(text).map((section) => [section.id, section.level, section.title, sectionText(text, section)]),
    [
      ['one', 1, 'One', '# One\na\n## Two\nb\n\nThree\n-----\nc\n'],
      ['two', 2, 'Two', '## Two\nb\n\n'],
      ['three', 2, 'Three', 'Three\n-----\nc\n'],
      ['one-2', 1, 'One', '# One\nd\n'],
    ],
  )
})

test('a section is found by id, by the id on the page, by a link to it, and by title in any case', () => {
  for (const ref of ['two', 'h-two', '#h-two', '#two', 'Two', 'tWO', '## Two'])
    assert.equal(findSection(outline(text), ref)?.id, 'two', ref)
  assert.equal(findSection(outline(text), 'one-2')?.start, text.lastIndexOf('# One'))
  assert.equal(findSection(outline(text), 'four'), undefined)
})

test('a section is replaced with its heading kept, or with the one given, and nothing else changes', () => {
  assert.equal(bodyWith('# A\nx\n\n# B\ny\n', 'a', 'new\n'), '# A\n\nnew\n\n# B\ny\n')
  assert.equal(bodyWith('# A\nx\n\n# B\ny\n', 'b', '## C\nnew'), '# A\nx\n\n## C\nnew\n')
  assert.equal(bodyWith('A\n===\nx\n', 'a', 'new'), 'A\n===\n\nnew\n')
  assert.equal(bodyWith('# A\r\nx\r\n# B\r\n', 'a', '\nnew'), '# A\n\nnew\n\n# B\r\n')
  assert.deepEqual(bodyWith('# A', 'b', 'new'), ['a'])
  assert.equal(bodyWith('# A\nx', 'a', '    code\n'), '# A\n\n    code\n')
})

const notHeadings: readonly (readonly [string, string])[] = [
  ['in a fence', '```\n# a\n```'],
  ['in a fence of tildes with ticks inside', '~~~~\n```\n# a\n~~~\n# b\n~~~~'],
  ['in a fence that is never closed', '```js\n# a'],
  ['in indented code', 'a\n\n    # b'],
  ['in a list item', '- a\n\n  # b'],
  ['right behind a bullet', '- # a'],
  ['in a numbered item', '10. a\n\n    # b'],
  ['in a quotation', '> # a'],
  ['in a comment', '<!--\n# a\n\n# b\n-->'],
  ['in raw HTML', '<pre>\n# a\n\n# b\n</pre>'],
  ['in an HTML block', '<div>\n# a\n</div>'],
  ['without a space', '#a'],
  ['with seven marks', '####### a'],
  ['a rule below a list', '- a\n---'],
  ['a line of = below a quotation', '> a\n==='],
  ['a line of = with nothing above', '\n==='],
]

for (const [where, source] of notHeadings) {
  test(`no section begins at what looks like a heading ${where}`, () => {
    assert.deepEqual(
      outline(source).map(({ title }) => title),
      [],
    )
    assert.deepEqual(pageIds(source), [])
  })
}

const pageIds = (source: string) => [...toHtml(source).matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)

const line = fc.tuple(
  fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t'),
  fc.constantFrom(
    '# a',
    '## b ##',
    '### `c` *d*',
    '#',
    '===',
    '---',
    'word',
    'word',
    '',
    '',
    '- x',
    '-',
    '1. x',
    '7) x',
    '> q',
    '>',
    '```',
    '~~~',
    '<div>',
    '</div>',
    '<!-- c',
    '-->',
    '<pre>',
    '</pre>',
    '<b>',
    '***',
    '| a | b |',
    '[r]: /x',
    ': d',
    ': # d',
    '[^1]: n',
    '[^1]: # n',
    'word[^1]',
    '> [!NOTE]',
    '- [x] # t',
  ),
)

test('the outline has the headings of the page, with the same ids', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 9 }), (lines) => {
      const source = lines.map(([indent, words]) => indent + words).join('\n')
      assert.deepEqual(
        outline(source).map(({ id }) => `h-${id}`),
        pageIds(source),
        JSON.stringify(source),
      )
    }),
    { numRuns: 3_000 },
  )
})
