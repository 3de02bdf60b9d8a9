// The syntax trees of src/. Their project reads no imports, no library and no tests, which takes half of the time.

import { join } from 'node:path'
import type * as ast from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

const root = process.cwd()

/** Reads the syntax trees. They are gone afterwards. */
export function readSourceTrees<T>(read: (sources: readonly ast.SourceFile[]) => T): T {
  const api = new API({ cwd: root })
  try {
    const path = join(root, 'test', 'house', 'syntax', 'tsconfig.json')
    const [project] = api.updateSnapshot({ openProjects: [path] }).getProjects()
    const names = project?.rootFiles.filter((name) => name.startsWith(join(root, 'src/'))) ?? []
    return read(names.flatMap((name) => project?.program.getSourceFile(name) ?? []))
  } finally {
    api.close()
  }
}
