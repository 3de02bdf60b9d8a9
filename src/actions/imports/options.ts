// The arguments that `inspect` and `run` share.

import { type Static, Type } from 'typebox'
import { nonEmptyText } from '../../base/schema.ts'
import { importFormats } from '../../imports/formats.ts'
import type { ReadOptions } from '../../imports/import-format.ts'

export const importInput = {
  file: Type.Optional(nonEmptyText('Id of a file that was uploaded by SVC_Import.begin-upload, or `latest`.', 26)),
  url: Type.Optional(nonEmptyText('Instead: the public address of the file.', 2000)),
  format: Type.Optional(
    nonEmptyText(`Its format, if it is not to be recognised: ${importFormats.map(({ name }) => name).join(', ')}.`, 40),
  ),
  site_url: Type.Optional(
    nonEmptyText('Address of the old site, where the files do not tell it: Ghost, folders of texts.', 2000),
  ),
  type: Type.Optional(nonEmptyText('Type of the rows of a table.', 100)),
  map: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 200 }), {
      description:
        'Old name to the name here: columns, keys of front matter and meta keys to fields of the type, `type:recipe` to a type.',
    }),
  ),
  time_zone: Type.Optional(
    nonEmptyText(
      'Zone of the old site, such as `Europe/Berlin`, for times that the file has without a zone. The default is this site’s.',
      100,
    ),
  ),
  site: Type.Optional(
    Type.Enum(['if_unset', 'always', 'never'], {
      description:
        'Title, tagline, language and time zone of the old site: taken where this site has none of its own (the default), always, or never.',
    }),
  ),
  on_clash: Type.Optional(
    Type.Enum(['skip', 'update', 'copy'], {
      description:
        'At a path that an entry of this site has: leave it out, overwrite that entry, or take a free path (the default).',
    }),
  ),
}

export const runInput = {
  ...importInput,
  media: Type.Optional(
    Type.Enum(['files', 'fetch', 'none'], {
      description: 'Pictures and files: those in the import (`files`), also from the old site (`fetch`, the default), or none.',
    }),
  ),
  status: Type.Optional(
    Type.Enum(['as_is', 'draft'], { description: '`draft` makes everything a draft. The default is as on the old site.' }),
  ),
}

const runSchema = Type.Object(runInput)

export type ImportOptions = Static<typeof runSchema>

/** The options of the reader. */
export const readOptions = ({ map, site_url: url, type }: ImportOptions, signal: AbortSignal): ReadOptions => ({
  signal,
  map,
  url,
  type,
})
