// The failure of front matter that can't be used, and the check of its values.

import { Failure } from '../../base/failure.ts'

/** @param line of the fields, from 1 */
export function frontMatterFault(what: string, line?: number, cause?: unknown): Failure {
  const where = line === undefined ? '' : ` (line ${line + 1} of the file)`
  return new Failure(
    'unprocessable',
    `The front matter ${what}${where}.`,
    {
      field: 'markdown',
      expected:
        'YAML fields between two lines of `---`, or TOML fields between two lines of `+++`, or a JSON object; then the body',
    },
    { cause },
  )
}

/** The most levels of lists and maps. Whatever handles the fields later is recursive. */
export const maxDepth = 32

/** @throws Failure `unprocessable` for a value that JSON doesn't have, or that is nested too deeply */
export function checkJson(value: unknown, depth = 0): void {
  if (depth > maxDepth) throw frontMatterFault('is nested too deeply')
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return
  const isPlain = Array.isArray(value) || (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
  if (!isPlain) throw frontMatterFault('has a value that JSON does not have, such as .inf')
  for (const member of Object.values(value as object)) checkJson(member, depth + 1)
}
