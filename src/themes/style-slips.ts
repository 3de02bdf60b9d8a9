// Slips in style sheets: what does not parse, and names of properties that are probably misspelled. Browsers skip such rules in
// silence.

import type { CssNode } from 'css-tree'
import { nearest } from '../base/nearest.ts'

/** A slip in a file, with its line. */
export interface Slip {
  readonly code: 'style_fault' | 'policy_blocks'
  readonly line: number
  readonly message: string
}

/** The most slips of one file that are named. */
const maxSlips = 10

/** Finds slips in the style sheets of a file: in the whole of it, or in its `<style>` elements. */
export async function findStyleSlips(file: string, text: string): Promise<readonly Slip[]> {
  if (file.endsWith('.css')) return slipsIn(text, 0)
  if (!file.endsWith('.liquid')) return []
  const found: Slip[] = []
  for (const match of text.matchAll(/<style\b[^<>]*>([^<]*)<\/style/gi))
    found.push(...(await slipsIn(withoutLiquid(match[1] ?? ''), lineOf(text, match.index) - 1)))
  return found.slice(0, maxSlips)
}

/** Replaces what Liquid puts in by a name, so that the rest can be read. Line ends stay. */
const withoutLiquid = (text: string): string =>
  text.replace(/\{\{[^{}]*\}\}/g, 'x').replace(/\{%[^{}]*%\}/g, (tag) => tag.replace(/[^\n]/g, ' '))

/** Returns the number of a line, counted from 1. */
export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

async function slipsIn(css: string, before: number): Promise<readonly Slip[]> {
  // The other entry of the package reads files beside itself, which a bundle does not have.
  const { lexer, parse, tokenize, tokenTypes, walk } = await import('css-tree/dist/csstree.esm')
  const slips: Slip[] = []
  const note = (line: number, message: string): void => {
    const slip: Slip = { code: 'style_fault', line: line + before, message }
    if (slips.length < maxSlips && !slips.some((one) => one.line === slip.line)) slips.push(slip)
  }
  const open: number[] = []
  tokenize(css, (type, start) => {
    if (type === tokenTypes.LeftCurlyBracket) open.push(start)
    else if (type === tokenTypes.RightCurlyBracket && open.pop() === undefined)
      note(lineOf(css, start), 'This "}" closes no block.')
    else if (type === tokenTypes.BadString) note(lineOf(css, start), 'This text in quotation marks has no end.')
  })
  const [unclosed] = open
  if (unclosed !== undefined) note(lineOf(css, unclosed), 'The block that begins here is not closed by "}".')
  const tree = parse(css, {
    positions: true,
    parseValue: false,
    onParseError: (error) => note((error as unknown as { readonly line: number }).line, `${error.message}: browsers skip this.`),
  })
  const known = Object.keys((lexer as unknown as { readonly properties: object }).properties)
  walk(tree, function (node: CssNode) {
    // Outside of rules, as in `@font-face`, are descriptors, which have names of their own.
    if (node.type !== 'Declaration' || node.property.startsWith('-') || !this.rule) return
    const name = node.property.toLowerCase()
    const [near] = known.includes(name) ? [] : nearest(name, known)
    if (near !== undefined) note(node.loc?.start.line ?? 1, `There is no property "${node.property}". Did you mean "${near}"?`)
  })
  return slips
}
