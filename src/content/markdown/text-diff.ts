// The line differences of two texts in the unified format. Comparing long texts takes long, so it is limited and yields.

import { createLate } from '../../base/late.ts'

const diff = createLate(() => import('diff'))

/** The time that comparing may take, and the number of lines that may be added and removed. */
const limits = { timeout: 500, maxEditLength: 5000 }

/**
 * Two texts in the unified format; empty if they are equal. Beyond the limits, everything between the first and the last
 * difference is shown as replaced, which is true but not the shortest form.
 */
export async function unifiedDiff(
  before: string,
  after: string,
  names: { readonly from: string; readonly to: string },
): Promise<string> {
  if (before === after) return ''
  const { createTwoFilesPatch } = await diff()
  const found = await new Promise<string | undefined>((resolve) => {
    createTwoFilesPatch(names.from, names.to, before, after, undefined, undefined, { ...limits, context: 3, callback: resolve })
  })
  const patch = found ?? wholeReplaced(before, after, names)
  // The package writes a separator line above the names.
  return patch.replace(/^=+\n/, '')
}

function wholeReplaced(before: string, after: string, { from, to }: { readonly from: string; readonly to: string }): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const [gone, added] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  const range = (length: number): string => `${length === 0 ? head : head + 1},${length}`
  const lines = [...gone.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  return `--- ${from}\n+++ ${to}\n@@ -${range(gone.length)} +${range(added.length)} @@\n${lines.join('\n')}\n`
}
