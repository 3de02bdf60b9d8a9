// `[audio]`, `[video]` and `[playlist]`: files that the page plays.

import { makeElement, type Node } from '../../../content/from-html/tree.ts'
import type { TextFile } from '../../text.ts'
import { idsOf } from './shortcode-gallery.ts'
import { addressNodes } from './shortcode-embed.ts'
import type { ShortcodeRule } from './shortcode.ts'

const sources = {
  audio: ['src', 'mp3', 'm4a', 'ogg', 'wav', 'flac', 'wma'],
  video: ['src', 'mp4', 'm4v', 'webm', 'ogv', 'mov', 'flv', 'wmv'],
} as const

const endings = { audio: /\.(?:mp3|m4a|ogg|oga|opus|wav|flac)$/i, video: /\.(?:mp4|m4v|webm|ogv|mov)$/i } as const

type Kind = keyof typeof sources

const player = (kind: Kind, { path, caption }: TextFile): Node => makeElement(kind, { src: path, title: caption })

export const playerShortcode =
  (kind: Kind): ShortcodeRule =>
  ({ name, values, content }, { state, read }) => {
    const written = [...sources[kind], '0'].map((one) => values.get(one)).find((one) => one !== undefined && one !== '')
    const inside = content === undefined ? [] : read(content)
    if (written !== undefined && /^https?:\/\/(?:www\.|m\.)?(?:youtu|vimeo)/.test(written)) return addressNodes(written)
    if (written !== undefined) return [makeElement(kind, { src: written, title: values.get('title') ?? '' }), ...inside]
    const own = state.answers.ownFiles.filter(({ path }) => endings[kind].test(path)).map((file) => player(kind, file))
    if (own.length > 0) return own
    state.lose('shortcode', `[${name}]`, 'It names no file: it stays as text.')
    return undefined
  }

export const playlistShortcode: ShortcodeRule = ({ name, values }, { state }) => {
  const kind = values.get('type') === 'video' ? 'video' : 'audio'
  const asked = idsOf(values.get('ids') ?? '')
  const files =
    asked.length > 0
      ? asked.flatMap((id) => state.file(id) ?? [])
      : state.answers.ownFiles.filter(({ path }) => endings[kind].test(path))
  if (files.length < asked.length || files.length === 0)
    state.lose('shortcode', `[${name}]`, 'Files of the list are not in the import.')
  return files.length === 0 ? undefined : files.map((file) => player(kind, file))
}
