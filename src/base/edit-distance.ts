// The edit distance between two spellings of a word. The package fastest-levenshtein counts swapped letters as two changes;
// damerau-levenshtein had its last release in 2021.

/** The edit distance of two texts. It counts inserted, deleted and changed letters, and swapped neighbours. */
export function editDistance(a: string, b: string): number {
  let [above, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (above[j - 2] ?? 0) + 1 : substituted
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substituted, swapped)
    }
    ;[above, row] = [row, next]
  }
  return row[b.length] ?? 0
}
