// Slips in style sheets: what does not parse, and names of properties that are probably misspelled. Browsers skip such rules in
// silence.

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

/** Stands for an output of Liquid, which may be anything. */
const anything = 'liquid-output'

/** Replaces the outputs of Liquid by a name, and its tags by spaces, so that the rest can be read. Line ends stay. */
const withoutLiquid = (text: string): string =>
  text.replace(/\{\{[^{}]*\}\}/g, anything).replace(/\{%[^{}]*%\}/g, (tag) => tag.replace(/[^\n]/g, ' '))

/** Returns the number of a line, counted from 1. */
export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** The number of unknown properties for which a similar name is looked for. */
const maxLookedUp = 50

/**
 * Finds the slips of one style sheet, in one pass over its tokens. A parser would need minutes for some hostile style sheets.
 * @param before the number of lines before it in the file
 */
async function slipsIn(css: string, before: number): Promise<readonly Slip[]> {
  // The other entry of the package reads files beside itself, which a bundle does not have.
  const { lexer, tokenize, tokenTypes: types } = await import('css-tree/dist/csstree.esm')
  const known = Object.keys((lexer as unknown as { readonly properties: object }).properties)
  const slips: Slip[] = []
  const note = (at: number, message: string): void => {
    if (slips.length < maxSlips) slips.push({ code: 'style_fault', line: lineOf(css, at) + before, message })
  }
  /** The open blocks. */
  const blocks: { readonly start: number; readonly isRule: boolean; readonly isValue: boolean }[] = []
  let statement = newStatement()
  let parentheses = 0
  let lookedUp = 0
  const endDeclaration = (): void => {
    const { first, name, hasColon } = statement
    statement = newStatement()
    // The value of a custom property may be anything, and have blocks of its own.
    if (first === undefined || first.isAt || blocks.some(({ isValue }) => isValue)) return
    if (name === anything && !hasColon) return
    if (blocks.length === 0) return note(first.start, 'This stands outside any block: browsers skip it.')
    if (!hasColon) return note(first.start, 'This declaration has no colon: browsers skip it.')
    const isChecked = name !== '' && !name.startsWith('-') && blocks.some(({ isRule }) => isRule)
    if (!isChecked || known.includes(name) || lookedUp++ >= maxLookedUp) return
    const [near] = nearest(name, known)
    if (near !== undefined) note(first.start, `There is no property "${name}". Did you mean "${near}"?`)
  }
  tokenize(css, (type, start, end) => {
    if (type === types.WhiteSpace || type === types.Comment || type === types.CDO || type === types.CDC) return
    if (type === types.BadString) note(start, 'This text in quotation marks has no end on its line.')
    if (type === types.LeftParenthesis || type === types.Function) parentheses++
    if (type === types.RightParenthesis && parentheses > 0) parentheses--
    if (type === types.LeftCurlyBracket) {
      blocks.push({
        start,
        isRule: statement.first?.isAt !== true,
        isValue: statement.hasColon && statement.name.startsWith('--'),
      })
      statement = newStatement()
      parentheses = 0
    } else if (type === types.RightCurlyBracket) {
      endDeclaration()
      parentheses = 0
      if (!blocks.pop()) note(start, 'This "}" closes no block.')
    } else if (type === types.Semicolon && parentheses === 0) endDeclaration()
    else {
      if (statement.first === undefined) {
        statement.first = { start, isAt: type === types.AtKeyword }
        if (type === types.Ident) statement.name = css.slice(start, end).toLowerCase()
      } else if (!statement.hasColon) statement.hasColon = type === types.Colon
    }
  })
  endDeclaration()
  const [unclosed] = blocks
  if (unclosed) note(unclosed.start, 'The block that begins here is not closed by "}".')
  return slips
}

/** The beginning of a statement: a declaration, the selector of a rule, or an at-rule. */
const newStatement = (): {
  first: { readonly start: number; readonly isAt: boolean } | undefined
  name: string
  hasColon: boolean
} => ({ first: undefined, name: '', hasColon: false })
