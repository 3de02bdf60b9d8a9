// Which of two versions of a plugin is the newer one (Semantic Versioning 2.0.0 §11).

/** Whether a version comes after another. What can't be told apart is not newer. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)]
  const at = a.numbers.findIndex((number, place) => number !== b.numbers[place])
  if (at >= 0) return (a.numbers[at] ?? 0) > (b.numbers[at] ?? 0)
  // 1.0.0-beta comes before 1.0.0.
  if (a.before === '' || b.before === '') return a.before === '' && b.before !== ''
  return a.before.localeCompare(b.before, 'en', { numeric: true }) > 0
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly before: string } {
  const [core = '', before = ''] = (version.split('+')[0] ?? '').split(/-(.*)/s)
  return { numbers: core.split('.').map(Number), before }
}
