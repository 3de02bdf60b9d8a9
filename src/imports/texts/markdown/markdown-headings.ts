// Headings of a Markdown text. The title of the entry is the first heading of its page, so that a text begins with level 2.

import { headingTitle } from '../../../content/markdown/heading-id.ts'
import { sameWords } from '../convert-html.ts'

/** Leaves out the first heading if it says the title, and moves the others down if one of them has level 1. */
export function placeHeadings(text: string, title: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.trim() !== '')
  const [first = '', second = ''] = lines.slice(Math.max(at, 0))
  const isSetext = isWords(first) && /^=+[ \t]*$/.test(second)
  const words = isSetext ? first : first.startsWith('# ') ? first.slice(2).replace(/ #{1,6}$/, '') : ''
  if (at >= 0 && sameWords(headingTitle(words), title)) lines.splice(0, at + (isSetext ? 2 : 1))
  const hasTop = lines.some(
    (line, index) => /^ {0,3}#(?:[ \t]|$)/.test(line) || (isWords(line) && /^=+[ \t]*$/.test(lines[index + 1] ?? '')),
  )
  return hasTop ? sunk(lines) : lines.join('\n')
}

function sunk(lines: readonly string[]): string {
  return lines
    .flatMap((line, index) => {
      const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line)
      if (marks) return [marks[1]?.length === 6 ? line : `#${line.trimStart()}`]
      const [before = '', above = ''] = [lines[index - 1], lines[index - 2]]
      if (isUnder(line) && isWords(before))
        return above.trim() === '' && line.startsWith('-') ? [] : ['-'.repeat(Math.max(3, line.trim().length))]
      const next = lines[index + 1] ?? ''
      return isWords(line) && before.trim() === '' && next.startsWith('-') && isUnder(next) ? [`### ${line.trim()}`] : [line]
    })
    .join('\n')
}

const isUnder = (line: string): boolean => /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)
const isWords = (line: string): boolean => /^ {0,3}[^\s>|#<=-]/.test(line) && !/^ {0,3}(?:[*+] |\d{1,9}[.)] )/.test(line)
