// Line ends within paragraphs as line breaks, as Obsidian shows them.

/** The marks of quotations before a line, without spaces. */
const quotation = (line: string): string => (/^(?:[ \t]*>){0,20}/.exec(line)?.[0] ?? '').replace(/[ \t]/g, '')
const contentOf = (line: string): string => line.replace(/^(?:[ \t]*>){0,20}[ \t]*/, '')

/** Lines that are no text of a paragraph, or end one. */
const isBlock =
  /^(?:$|#{1,6}(?:\s|$)|\||<\/?[a-z!]|\[!|\[\^[^\]]{1,60}\]:|\[[^\]]{1,200}\]:\s|:{3}|(?:[-*_][ \t]*){3,}$|=+\s*$|\ue0f0\d{1,8}\ue0f1$)/i
const beginsBlock = /^(?:[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|:\s)/

/** Puts a backslash at the end of each line that another line of its paragraph follows. */
export function breakParagraphLines(text: string): string {
  const lines = text.split('\n')
  return lines
    .map((line, index) => {
      const next = lines[index + 1]
      const content = contentOf(line)
      if (next === undefined || isBlock.test(content) || line.endsWith('  ') || line.endsWith('\\')) return line
      const following = contentOf(next)
      const isSame = quotation(line) === quotation(next)
      const isRow = /\|/.test(content) && /^[ :|-]+$/.test(following)
      const isEnd = isBlock.test(following) || beginsBlock.test(following) || /^ {4,}|\t/.test(line) || !isSame || isRow
      return isEnd ? line : `${line.trimEnd()}\\`
    })
    .join('\n')
}
