// Names of files in archives and folders of strangers. Nothing is ever written under such a name, and no name leads out of the
// folder (attack 162).

export interface LeftOutFile {
  readonly path: string
  readonly reason: string
}

export interface MemberNames {
  readonly leftOut: readonly LeftOutFile[]
  leaveOut(path: string, reason: string): void
  /** Returns the path under which readers find a file, or undefined if it is left out. */
  accept(name: string): string | undefined
}

/** The most files that the report names. */
const maxLeftOut = 1000

/** Names that programs add to archives, and folders that are never content. */
const silent = /(?:^|\/)(?:__MACOSX|node_modules|\.git|\.svn|\.hg)\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/

export function createMemberNames(): MemberNames {
  const leftOut: LeftOutFile[] = []
  const taken = new Set<string>()
  const leaveOut = (path: string, reason: string) => {
    if (leftOut.length < maxLeftOut) leftOut.push({ path: path.slice(0, 500), reason })
  }
  return {
    leftOut,
    leaveOut,
    accept(name) {
      const path = name
        .replaceAll('\\', '/')
        .replace(/^(?:\.\/)+/, '')
        .normalize('NFC')
      if (silent.test(path)) return undefined
      const fault = faultOf(path) ?? (taken.has(path) ? 'another file has the same name' : undefined)
      if (fault !== undefined) {
        leaveOut(name, fault)
        return undefined
      }
      taken.add(path)
      return path
    },
  }
}

/** True for a folder whose files are never content. A walk passes over it. */
export const isSilent = (path: string): boolean => silent.test(path)

function faultOf(path: string): string | undefined {
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'an absolute path'
  if (path.split('/').some((part) => part === '..' || part === '.')) return 'a path that leaves the folder'
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f]/.test(path)) return 'a name with control characters'
  if (path === '' || path.length > 1000) return 'a name that is empty or too long'
  return undefined
}
