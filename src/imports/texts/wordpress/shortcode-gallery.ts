// `[gallery]`: pictures by their ids, or all that were uploaded to the entry.

import type { TextFile } from '../../text.ts'
import { fileFigure, galleryOf } from '../pictures.ts'
import type { ShortcodeRule } from './shortcode.ts'

const isPicture = ({ path }: TextFile): boolean => /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$/i.test(path)

export const idsOf = (list: string): readonly string[] => list.split(/[\s,]+/).filter((id) => /^\d{1,15}$/.test(id))

export const galleryShortcode: ShortcodeRule = ({ name, values }, { state }) => {
  const list = values.get('ids') ?? values.get('include') ?? ''
  const asked = idsOf(list)
  const left = idsOf(values.get('exclude') ?? '').flatMap((id) => state.file(id)?.path ?? [])
  const files = list === '' ? state.answers.ownFiles.filter(isPicture) : asked.flatMap((id) => state.file(id) ?? [])
  const shown = files.filter(({ path }) => !left.includes(path))
  if (files.length < asked.length)
    state.lose('picture', `[${name}]`, `${asked.length - files.length} pictures of the gallery are not in the import.`)
  if (shown.length === 0) {
    if (asked.length === 0) state.lose('picture', `[${name}]`, 'The gallery has no pictures: it stays as text.')
    return undefined
  }
  return galleryOf(shown.map(fileFigure), columnsOf(values.get('columns')))
}

/** A number of columns as WordPress writes it; undefined without one. */
export const columnsOf = (written: string | undefined): number | undefined =>
  written !== undefined && /^\d{1,2}$/.test(written) ? Number(written) : undefined
