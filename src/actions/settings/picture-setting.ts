// Pictures as values of settings: each use says how large a picture must be.

import { Failure } from '../../base/failure.ts'
import { getMedia } from '../../media/media-rows.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import type { SettingKey } from '../../settings/definitions.ts'
import type { WriteContext } from '../call/action.ts'
import { bare } from '../media/named.ts'

/** The demands of one use of a picture. */
interface PictureUse {
  /** The use in a sentence: `a logo`. */
  readonly name: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** The longer side is at most this many times the shorter. */
  readonly ratio: number
  /** True if drawings will do. Social networks show none. */
  readonly drawings: boolean
}

const logo: PictureUse = { name: 'a logo', width: 48, height: 24, ratio: 12, drawings: true }

const uses: Readonly<Partial<Record<SettingKey, PictureUse>>> = {
  logo,
  logo_dark: logo,
  site_icon: { name: 'the icon of the site', width: 96, height: 96, ratio: 1.5, drawings: true },
  social_image: { name: 'a picture in cards', width: 300, height: 157, ratio: 4, drawings: false },
}

/**
 * Returns the id of the picture for a setting. The id is stored, because the path can change.
 * @param ref an id or path
 * @throws Failure `invalid` for a file that can't serve there, or `not_found`
 */
export async function pictureFor({ db }: WriteContext, key: SettingKey, ref: string): Promise<string> {
  const row = bare(await getMedia(db, ref))
  const fault = row.deleted_at === null ? faultOf(row, uses[key] ?? logo) : 'This file is in the trash'
  if (fault === undefined) return row.id
  const expected = expectedOf(uses[key] ?? logo)
  throw new Failure('invalid', `${fault}: choose ${expected}.`, { field: `set.${key}`, expected })
}

function faultOf(
  { kind, width, height }: { readonly kind: string; readonly width: number | null; readonly height: number | null },
  { name, width: least, height: leastHeight, ratio, drawings }: PictureUse,
): string | undefined {
  const treatment = treatmentOf(kind)
  if (treatment === 'vector') return drawings ? undefined : `A drawing can not be ${name}`
  if (treatment !== 'picture' || width === null || height === null) return `This file is no picture, so it can not be ${name}`
  const size = `${width} × ${height} pixels`
  if (width < least || height < leastHeight) return `This picture is too small for ${name} with ${size}`
  const isLong = Math.max(width / height, height / width) > ratio
  return isLong ? `This picture is too long for ${name} with ${size}` : undefined
}

const expectedOf = ({ width, height, ratio, drawings }: PictureUse): string =>
  `a picture of at least ${width} × ${height} pixels, at most ${ratio} times as long as it is high or wide${drawings ? ', or an SVG' : ''}`
