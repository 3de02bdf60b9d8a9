// What is no slip in a style sheet: outputs of Liquid, and values of custom properties with blocks of their own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStyleSlips } from '../../src/themes/style-slips.ts'

const right: readonly (readonly [file: string, text: string])[] = [
  ['layout.liquid', '<style>{{ settings.css }}</style>'],
  ['layout.liquid', '<style>:root{ {{ vars }} }</style>'],
  ['layout.liquid', '<style>.a{color:{{ settings.accent }}}</style>'],
  ['a.css', '.z{ --a:{b:c} }'],
  ['a.css', '@media (min-width: 1px) { .a { color: red } }'],
]
for (const [file, text] of right) test(`no slip in ${text}`, async () => assert.deepEqual(await findStyleSlips(file, text), []))

const wrong: readonly (readonly [text: string, message: RegExp])[] = [
  ['.a { colour: red }', /no property "colour"\. Did you mean "color"/],
  ['color: red;', /outside any block/],
  ['.a { color red }', /no colon/],
]
for (const [text, message] of wrong)
  test(`a slip in ${text}`, async () => assert.match((await findStyleSlips('a.css', text))[0]?.message ?? '', message))
