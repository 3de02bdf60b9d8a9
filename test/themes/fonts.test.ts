// The fonts that come with Postern: their files and licences are built, and no pair makes a page heavier than promised.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { linksIn, withPaths } from '../../src/exports/page-links.ts'
import { fontMarkup } from '../../src/themes/font-faces.ts'
import { fontFamilies, fontPairs } from '../../src/themes/font-families.ts'
import { fontFiles, fontFolder } from '../../src/themes/font-files.ts'
import { root } from '../run-postern.ts'
import { readManifest, themeIds } from './render-theme.ts'

/** The most bytes of the Latin fonts of a page. */
const most = 100_000

const sizeOf = (file: string): number => fontFiles().get(file)?.length ?? assert.fail(`${file} is not built`)

for (const [name, { headings, text, small }] of Object.entries(fontPairs))
  test(`the pair ${name} has at most two families, files of this site alone, and ${most} bytes of Latin`, () => {
    assert.ok([headings, text].includes(small))
    const markup = fontMarkup(name, 'https://example.org/blog')
    const addresses = [...markup.matchAll(/(?:href="|url\(')([^"']*)/g)].map(([, address = '']) => address)
    const folder = `https://example.org/blog${fontFolder()}/`
    assert.ok(
      addresses.every((address) => address.startsWith(folder)),
      addresses.join(),
    )
    const files = new Set(addresses.map((address) => address.slice(folder.length)))
    const latin = [...files].filter((file) => file.includes('-latin-wght-'))
    const bytes = latin.map(sizeOf).reduce((sum, size) => sum + size, 0)
    assert.ok(bytes > 10_000 && bytes <= most, `${bytes} bytes`)
    for (const file of files) sizeOf(file)
    const early = [...markup.matchAll(/rel="preload" href="([^"]*)"/g)].map(([, address]) => address)
    assert.equal(early.length, new Set([headings, text]).size)
    assert.ok(early.every((address) => address?.endsWith('-latin-wght-normal.woff2')))
    const faces = markup.match(/@font-face\{[^}]*url\([^}]*\}/g) ?? []
    assert.ok(faces.every((face) => face.includes('font-display:swap') && face.includes('unicode-range:U+')))
  })

test('a copy of the site as plain files has every font of a page, and asks no other address for it', () => {
  const origin = 'https://example.org/blog'
  const page = `<!doctype html><html><head>${fontMarkup('bookish', origin)}</head><body><a href="${origin}/a">a</a></body></html>`
  const found = linksIn(page, 'text/html; charset=utf-8', '/', origin)
  const fonts = [...fontFiles().keys()].filter((name) => /^(?:figtree-.*-normal|lora-)/.test(name))
  assert.deepEqual([...found].sort(), ['/a', ...fonts.map((name) => `${fontFolder()}/${name}`)].sort())
  assert.ok(!withPaths(page, origin).includes('example.org'))
})

test('the fonts of the device need no markup, and neither does an unknown name', () => {
  for (const name of ['system', '', 'constructor', '"><script>']) assert.equal(fontMarkup(name, 'https://example.org'), '')
})

test('each theme offers the pairs after the fonts of the device', () => {
  for (const theme of themeIds) {
    const setting = readManifest(theme).settings.find(({ id }) => id === 'fonts')
    assert.deepEqual(
      setting?.options?.map(({ value }) => value),
      ['system', ...Object.keys(fontPairs)],
      theme,
    )
  }
  assert.equal(readManifest('documentation').settings.find(({ id }) => id === 'fonts')?.default, 'system')
})

test('the licence of each family is built beside its files, and the document names the families', () => {
  const document = readFileSync(join(root, 'src', 'docs', 'themes.md'), 'utf8')
  for (const [file, { name }] of Object.entries(fontFamilies)) {
    const licence = join(root, 'dist', 'themes', 'fonts', `${file}-license.txt`)
    assert.ok(existsSync(licence) && readFileSync(licence, 'utf8').includes('SIL Open Font License, Version 1.1'), file)
    assert.ok(document.includes(name), name)
  }
})
