// The regular expressions of src/, read off its syntax trees: literals, and those made from texts that stand in the source.

import { relative } from 'node:path'
import * as ast from 'typescript/unstable/ast'
import { root } from '../site.ts'
import { readSourceTrees } from './source-trees.ts'

export interface SourcePattern {
  /** Where it stands, such as `src/base/mask.ts`. */
  readonly file: string
  /** As the source has it. */
  readonly written: string
  /** Undefined where it is made of what only a run knows. */
  readonly pattern: { readonly source: string; readonly flags: string } | undefined
}

/** Literals, `new RegExp(…)`, `RegExp(…)`, and the `pattern` of a schema. */
export const sourcePatterns = (): readonly SourcePattern[] =>
  readSourceTrees((sources) => sources.flatMap((source) => patternsOf(source, relative(root, source.fileName))))

function patternsOf(source: ast.SourceFile, file: string): readonly SourcePattern[] {
  const found: SourcePattern[] = []
  const visit = (node: ast.Node): void => {
    const pattern = patternAt(source, node)
    if (pattern) found.push({ file, written: node.getText(source), pattern: pattern === 'unknown' ? undefined : pattern })
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return found
}

function patternAt(source: ast.SourceFile, node: ast.Node): SourcePattern['pattern'] | 'unknown' {
  if (ast.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if ((ast.isNewExpression(node) || ast.isCallExpression(node)) && node.expression.getText(source) === 'RegExp') {
    const [text, flags] = node.arguments ?? []
    const [made, marks] = [textOf(source, text), flags ? textOf(source, flags) : '']
    return made === undefined || marks === undefined ? 'unknown' : { source: made, flags: marks }
  }
  if (ast.isPropertyAssignment(node) && node.name.getText(source) === 'pattern') {
    const made = textOf(source, node.initializer)
    return made === undefined ? 'unknown' : { source: made, flags: 'u' }
  }
  return undefined
}

/** The text of an expression that is made of literals and of constants of its own file. */
function textOf(source: ast.SourceFile, node: ast.Node | undefined): string | undefined {
  if (node === undefined) return undefined
  if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ast.isIdentifier(node)) return textOf(source, constantOf(source, node.text))
  if (ast.isPropertyAccessExpression(node) && node.name.text === 'source') return literalSource(source, node.expression)
  if (!ast.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const text = textOf(source, expression)
    return text === undefined ? undefined : text + literal.text
  })
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('')
}

function literalSource(source: ast.SourceFile, node: ast.Node): string | undefined {
  const literal = ast.isIdentifier(node) ? constantOf(source, node.text) : node
  return literal && ast.isRegularExpressionLiteral(literal) ? literal.text.slice(1, literal.text.lastIndexOf('/')) : undefined
}

function constantOf(source: ast.SourceFile, name: string): ast.Node | undefined {
  for (const statement of source.statements) {
    if (!ast.isVariableStatement(statement)) continue
    const found = statement.declarationList.declarations.find((one) => one.name.getText(source) === name)
    if (found) return found.initializer
  }
  return undefined
}
