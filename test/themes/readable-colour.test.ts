// The colour in which links are read: near to the owner's, and with enough contrast on every background of the shipped themes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../properties.ts'
import { contrast, linearOf, readableColour, type Scheme } from '../../src/themes/readable-colour.ts'

const backgrounds: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#fdfcfa', '#f4f2ed', '#ffffff', '#f2f5fa', '#f4f3f8'],
  dark: ['#171614', '#211f1c', '#12151b', '#1b2029', '#141318'],
}

test('any colour is readable on every background of a scheme', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, fc.constantFrom<Scheme>('light', 'dark'), (given, scheme) => {
      const made = linearOf(readableColour(given, scheme))
      assert.ok(made)
      for (const paper of backgrounds[scheme]) assert.ok(contrast(made, linearOf(paper) ?? made) >= 4.5, `${given} on ${paper}`)
    }),
  )
})

test('a colour that is readable stays, and a weak one is changed as little as contrast asks', () => {
  assert.equal(readableColour('#0b6157', 'light'), '#0b6157')
  assert.equal(readableColour('#7cc9bb', 'dark'), '#7cc9bb')
  const brown = readableColour('#b5651d', 'light')
  assert.notEqual(brown, '#b5651d')
  const distance = (other: string) =>
    [1, 3, 5].map((at) => Math.abs(parseInt('#b5651d'.slice(at, at + 2), 16) - parseInt(other.slice(at, at + 2), 16)))
  assert.ok(Math.max(...distance(brown)) < 25, brown)
  const ratio = contrast(linearOf(brown) ?? [0, 0, 0], linearOf('#f2f0eb') ?? [0, 0, 0])
  assert.ok(ratio >= 4.5 && ratio < 4.6, String(ratio))
})

test('a text that is no colour comes back as it is', () => {
  for (const text of ['red', '', '#12', 'rgb(1,2,3)']) assert.equal(readableColour(text, 'light'), text)
})
