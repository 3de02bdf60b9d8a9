// The words of a cell as a person writes them, and as they stand in a row: a bar has a backslash, a line break is `<br>`.

/** A part of the text, and what takes its place. */
export interface CellChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

const marks = /\\\||<br\s*\/?>/gi

export const shownWords = (source: string): string => source.replace(marks, (mark) => (mark === '\\|' ? '|' : '\n'))

/** The place in the shown words for a place in the source. */
export const shownAt = (source: string, at: number): number => shownWords(source.slice(0, at)).length

/** The place in the source for a place in the shown words. */
export function sourceAt(source: string, at: number): number {
  let longer = 0
  for (const { 0: mark, index } of source.matchAll(marks)) {
    if (index - longer >= at) break
    longer += mark.length - 1
  }
  return at + longer
}

/** The lengths of what two texts begin and end with in common. */
function sharedEnds(before: string, after: string): readonly [number, number] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return [start, end]
}

/** The source of a cell after its shown words were changed. Marks that nobody touched stay as they are. */
export function withWords(source: string, words: string): string {
  const before = shownWords(source)
  const [start, end] = sharedEnds(before, words)
  const written = words
    .slice(start, words.length - end)
    .replace(/\n/g, '<br>')
    .replace(/\t/g, ' ')
  const all = source.slice(0, sourceAt(source, start)) + written + source.slice(sourceAt(source, before.length - end))
  // After an even number of backslashes, a bar would end the cell.
  return all.replace(/(\\*)\|/g, (bar, { length }: string) => (length % 2 === 1 ? bar : `${'\\'.repeat(length + 1)}|`))
}

/** The least change that makes one text of another. @param from the place of the text in the document */
export function leastChange(before: string, after: string, from: number): CellChange {
  const [start, end] = sharedEnds(before, after)
  return { from: from + start, to: from + before.length - end, insert: after.slice(start, after.length - end) }
}
