// Suggestions for a misspelt name.

/** Up to three names within an edit distance of about a third of the length of the given name, or that contain it, nearest first. */
export function nearest(asked: string, names: readonly string[]): readonly string[] {
  if (asked.length > 100) return []
  const wanted = asked.toLowerCase()
  const most = Math.max(1, Math.floor(wanted.length / 3))
  return names
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

function distanceTo(asked: string, name: string, most: number): number {
  if (name === asked) return 0
  if (asked.length > 2 && (name.endsWith(`.${asked}`) || name.endsWith(`_${asked}`))) return 1
  return Math.abs(asked.length - name.length) > most ? most + 1 : editDistance(asked, name)
}

/** The edit distance of two texts: inserted, deleted and changed letters, and swapped neighbours. */
function editDistance(a: string, b: string): number {
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
