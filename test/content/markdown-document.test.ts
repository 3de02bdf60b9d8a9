// The document `markdown` against the renderer: each example becomes what stands below it, and that is valid HTML.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { createMarkdown } from '../../src/content/markdown/markdown.ts'
import { createSanitizer } from '../../src/content/markdown/sanitize.ts'
import { documents } from '../../src/docs/index.ts'
import { expandEmbeds } from '../../src/content/markdown/embeds.ts'

const text = documents.find(({ doc }) => doc === 'markdown')?.text ?? ''
const examples = [...text.matchAll(/^````markdown\n([^]*?)^````\n\n````html\n([^]*?)^````$/gm)].map(
  ([, source = '', html = '']) => ({ source, html }),
)

let render: (source: string) => string

before(async () => {
  const [markdown, sanitize] = [await createMarkdown(), await createSanitizer()]
  render = (source) => sanitize(markdown.render(source).html).html
})

test('the document markdown has an example with its result for each construct', () => {
  assert.ok(examples.length >= 12)
  assert.equal(examples.length, text.match(/^````markdown$/gm)?.length)
})

for (const { source, html } of examples)
  test(`the document markdown tells the truth about ${JSON.stringify(source.slice(0, 40))}`, () =>
    assert.equal(render(source), html))

/** The rules that concern validity. Those of style, such as the form of void elements, are left out. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'void-style': 'off', 'no-trailing-whitespace': 'off' },
})

test('all examples together are valid HTML, with the frames of the public page', async () => {
  const body = expandEmbeds(render(examples.map(({ source }) => source).join('\n\n')), 'en')
  const document = `<!DOCTYPE html><html lang="en"><head><title>t</title></head><body><main><h1>t</h1>${body}</main></body></html>\n`
  const { results } = await validator.validateString(document)
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (${line})`)),
    [],
  )
})
