// The sentences of failures and findings that people meet in the admin, read off the syntax trees of src/: what stands in `new Failure(…)`, `invalid(…)`,
// `notFound(…)`, the conclusions of checks, and the functions that make those.

import { relative } from 'node:path'
import * as ast from 'typescript/unstable/ast'
import { readSourceTrees } from './source-trees.ts'

const root = process.cwd()

export interface SourceSentence {
  readonly file: string
  /** With `{}` for each value. */
  readonly text: string
  /** True for what a caller could do next. The admin shows it if no name of an action is in it. */
  readonly isHint: boolean
}

/** The folders and files whose failures no form of the admin can cause: commands, options of calls, other doors, what authors of plugins register. */
const elsewhere: readonly RegExp[] = [
  /^src\/(?:install|cli|docs|front|app|site|http|eyes|jobs|store\/(?!change)|exports\/(?!static-site))/,
  /^src\/doors\/(?!shared\/(?:admit|call-rate|plugin-hooks|read-upload))/,
  /^src\/actions\/(?:api|docs|search|lists|logs|stats)\//,
  /^src\/actions\/call\/(?!validate|as-failure|deadline|proposed-changes|one-id)/,
  /^src\/backup\/(?!backups|folder|passphrase|restore\.|backup-store)/,
  /^src\/plugins\/(?!keeper|manifest|package-files|plugin-settings|plugin-store|read-zip|stage-package)/,
  /^src\/identity\/(?:site-key|preview-store|one-named|limits)/,
  /^src\/actions\/(?:content\/(?:create-many|replace-all|put|chosen|page-headings|diff)|shared\/revision-list|themes\/(?:edit|read|search))\.ts$/,
  /^src\/content\/(?:entries\/(?:foreign-keys|front-matter)|markdown\/edits)/,
  /^src\/media\/upload-link/,
  /^src\/base\/worker-queue/,
]

/** Members that hold no sentence of people: details for programs, configuration lines, and declarations. */
const members =
  /^(?:nginx|apache|caddy|file|edge|path|method|expected|rule|description|summary|examples|title|seen|field|headers|source|id|input|output)$/

/** A line for a shell, without words about it. */
const isCommand = /^(?:sudo|systemctl|journalctl)(?: (?!by |on |that )\S+)+$/

/** Two words; and no name of an action, which the admin leaves out. */
export const isSentence = (text: string): boolean => /[a-z]{2}.* .*[a-z]{2}/s.test(text) && !isCommand.test(text)

/** True for a hint to programs. The admin shows none. */
export const isForPrograms = (text: string): boolean => /SVC_|`/.test(text)

export function failureSentences(): readonly SourceSentence[] {
  return readSourceTrees((sources) => {
    const makers = new Map(sources.map((source) => [source, makersOf(source)]))
    const everywhere = new Set([...makers.values()].flatMap((own) => [...own]))
    return sources.flatMap((source) => {
      const file = relative(root, source.fileName)
      if (elsewhere.some((pattern) => pattern.test(file))) return []
      const known = new Set([...(makers.get(source) ?? []), ...importedNames(source).filter((name) => everywhere.has(name))])
      return sentencesOf(source, known).map((one) => ({ file, ...one }))
    })
  })
}

const makes = /^(?:Http)?Failure(?: \| undefined)?$|^(?:readonly )?Verdict\b|^Promise<(?:readonly )?Verdict/

const isMaker = (node: ast.Node, source: ast.SourceFile): boolean =>
  (ast.isFunctionDeclaration(node) || ast.isArrowFunction(node) || ast.isMethodDeclaration(node)) &&
  node.type !== undefined &&
  makes.test(node.type.getText(source))

function makersOf(source: ast.SourceFile): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: ast.Node): void => {
    if (isMaker(node, source)) {
      const named = ast.isArrowFunction(node) ? node.parent : node
      if ((ast.isFunctionDeclaration(named) || ast.isVariableDeclaration(named)) && named.name)
        found.add(named.name.getText(source))
    }
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return found
}

const importedNames = (source: ast.SourceFile): readonly string[] =>
  source.statements.filter(ast.isImportDeclaration).flatMap((one) => one.importClause?.getText(source).match(/\w+/g) ?? [])

function sentencesOf(source: ast.SourceFile, makers: ReadonlySet<string>): readonly Omit<SourceSentence, 'file'>[] {
  const found: Omit<SourceSentence, 'file'>[] = []
  const visit = (node: ast.Node, isInside: boolean, isHint = false): void => {
    if (ast.isPropertyAssignment(node) && members.test(node.name.getText(source))) return
    if (ast.isNewExpression(node) && /^(?:Range|Type)?Error$/.test(node.expression.getText(source))) return
    const called = ast.isNewExpression(node) || ast.isCallExpression(node) ? node.expression.getText(source) : ''
    if (/^(?:\w+\.)*log\.\w+$|^Type\.|^closed$|^assert/.test(called)) return
    const isAnchor = isMaker(node, source) || makers.has(called) || (ast.isNewExpression(node) && called.endsWith('Failure'))
    const text = isInside ? templateOf(node) : undefined
    if (text !== undefined && isSentence(text)) found.push({ text, isHint })
    // The parts of a sum are one sentence.
    if (text !== undefined && ast.isBinaryExpression(node)) return
    if (called === 'notFound' && ast.isCallExpression(node)) {
      const what = node.arguments[0] && templateOf(node.arguments[0])
      if (what !== undefined) found.push({ text: `There is no ${what} {}.`, isHint: false })
      node.arguments.slice(2).forEach((one) => visit(one, true, true))
    } else if (called === 'invalid' && ast.isCallExpression(node)) node.arguments.slice(1, 2).forEach((one) => visit(one, true))
    else node.forEachChild((child) => visit(child, isInside || isAnchor, isHint || isHintAt(node, source)))
  }
  source.forEachChild((node) => visit(node, false))
  return found
}

const isHintAt = (node: ast.Node, source: ast.SourceFile): boolean =>
  (ast.isPropertyAssignment(node) || ast.isVariableDeclaration(node)) &&
  /^(?:hint|fix|help|next|todo)$/.test(node.name.getText(source))

export function templateOf(node: ast.Node): string | undefined {
  if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ast.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
  if (!ast.isBinaryExpression(node) || node.operatorToken.kind !== ast.SyntaxKind.PlusToken) return undefined
  const sides = [templateOf(node.left), templateOf(node.right)]
  return sides.every((one) => one === undefined) ? undefined : sides.map((one) => one ?? '{}').join('')
}
