// Names of media files in public addresses: the sender's names, reduced to letters, digits and hyphens (attack 105).

import { invalid } from '../base/failure.ts'
import { trimEndOf, trimStartOf } from '../base/trim-text.ts'
import { extensionFor } from './taken-kinds.ts'

const maxStemChars = 80
const maxFolderChars = 200

/** The public name of a file of this kind. @param given any text: `C:\photos\Größe.JPG`, `../x`, '' */
export function reduceFileName(given: string, kind: string): string {
  const last = given.slice(0, 4000).split(/[\\/]/).at(-1) ?? ''
  const [, stem = last, extension = ''] = /^(.*)\.([a-z0-9]{1,8})$/is.exec(last) ?? []
  return `${reduce(stem) || 'file'}.${extensionFor(kind, extension.toLowerCase())}`
}

/** The names under which a file with this name may be stored: as it is, in lower case, and reduced. */
export function storedNames(given: string): readonly string[] {
  const lower = given.toLowerCase()
  const dot = lower.lastIndexOf('.')
  const reduced = dot > 0 ? `${reduce(lower.slice(0, dot))}${lower.slice(dot)}` : lower
  return [...new Set([given, lower, reduced])]
}

/** The same name with a number, for a name that is taken. */
export function numbered(filename: string, count: number): string {
  const dot = filename.lastIndexOf('.')
  return `${filename.slice(0, dot)}-${count}${filename.slice(dot)}`
}

/** A folder such as `team/2026`. @throws Failure `invalid` */
export function checkFolder(given: string): string {
  const bare = trimEndOf(trimStartOf(given, '/'), '/')
  if (bare === '') return ''
  if (bare.length <= maxFolderChars && bare.split('/').every((part) => /^[a-z0-9][a-z0-9-]{0,79}$/.test(part))) return bare
  throw invalid(
    'folder',
    '"folder" is not a name of a folder.',
    'lower-case letters, digits and hyphens, with slashes between folders: team/2026',
  )
}

/** The public path below the base path. */
export const mediaPath = (folder: string, filename: string): string =>
  `${mediaPrefix}${folder === '' ? '' : `${folder}/`}${filename}`

/** The beginning of every public path of a media file. */
export const mediaPrefix = '/media/'

function reduce(stem: string): string {
  return stem
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/\p{M}+|\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxStemChars)
    .replace(/^-|-$/g, '')
}
