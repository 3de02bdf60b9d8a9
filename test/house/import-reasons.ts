// The reasons in reports of imports, read off the syntax trees of src/: the arguments of `loss`, `lose` and their kin, members and
// variables that are called `reason` or `why`, and the tables and functions that give them.

import { relative } from 'node:path'
import * as ast from 'typescript/unstable/ast'
import { isSentence, type SourceSentence, templateOf } from './failure-sentences.ts'
import { readSourceTrees } from './source-trees.ts'

const root = process.cwd()

const folders = /^src\/(?:imports|actions\/imports)\//
const takers = /(?:^|[.?])(?:loss|lose|lossOf|leaveOut|unread|conflict|clash)$/
const givers = /^(?:reasons?|why|dropped|looks|smallLosses|conflictOf|faultOf|faultIn|fault|unreadable|left)$/

export function importReasons(): readonly SourceSentence[] {
  return readSourceTrees((sources) =>
    sources.flatMap((source) => {
      const file = relative(root, source.fileName)
      return folders.test(file) ? reasonsIn(source).map((text) => ({ file, text, isHint: false })) : []
    }),
  )
}

function reasonsIn(source: ast.SourceFile): readonly string[] {
  const found: string[] = []
  const visit = (node: ast.Node, isInside: boolean): void => {
    if (ast.isImportDeclaration(node)) return
    const text = isInside ? templateOf(node) : undefined
    if (text !== undefined && isSentence(text)) found.push(text)
    if (text !== undefined && ast.isBinaryExpression(node)) return
    const group = ast.isCallExpression(node) ? node.arguments.find((one) => ast.isStringLiteral(one)) : undefined
    node.forEachChild((child) => visit(child, (isInside || gives(node, source)) && child !== group))
  }
  source.forEachChild((node) => visit(node, false))
  return found
}

function gives(node: ast.Node, source: ast.SourceFile): boolean {
  if (ast.isCallExpression(node)) return takers.test(node.expression.getText(source))
  const isNamed = ast.isPropertyAssignment(node) || ast.isVariableDeclaration(node) || ast.isFunctionDeclaration(node)
  return isNamed && node.name !== undefined && givers.test(node.name.getText(source))
}
