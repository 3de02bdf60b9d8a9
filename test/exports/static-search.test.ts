// The index of the search of a static site, of few pages and of very many.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIndex } from '../../src/exports/static-search.ts'

const page = (number: number) => ({
  path: `/page-${number}`,
  title: `Page ${number}`,
  text: `${number} `.repeat(2000).slice(0, 4000),
})

test('few pages keep their texts, and many keep the beginning of each, in their order', () => {
  const few = createIndex()
  for (let number = 0; number < 300; number++) few.add(page(number))
  assert.deepEqual(
    [...few.pages()],
    Array.from({ length: 300 }, (_, number) => page(number)),
  )

  const many = createIndex()
  for (let number = 0; number < 30_000; number++) many.add(page(number))
  const pages = [...many.pages()]
  assert.equal(pages.length, 30_000)
  assert.ok(pages.every(({ path, text }, number) => path === page(number).path && page(number).text.startsWith(text)))
  assert.ok(pages.every(({ text }) => text.length === 100))
})
