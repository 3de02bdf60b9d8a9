import { Type } from 'typebox'
import { previewMs } from '../../themes/preview-address.ts'
import { stateOf } from '../../themes/preview-state.ts'
import { getTheme } from '../../themes/theme-store.ts'
import { action } from '../call/action.ts'
import { linkOutput, makeLink } from '../shared/preview-link.ts'
import { beforeReading, idProperty } from './item.ts'
import { closed, flag } from '../../base/schema.ts'

const usualSeconds = previewMs / 1000

export const preview = action('SVC_Themes.preview', {
  title: 'Make a preview link to [the theme {title}|a theme]',
  summary: 'Makes a link below which the whole site shows in a theme, for a day and for anyone who has it.',
  // Anyone can open the link.
  did: 'made a preview link to [the theme {title}|a theme]',
  object: { kind: 'theme', page: 'theme' },
  tier: 'content',
  effect: 'act',
  failures: ['not_found', 'refused'],
  touches: 'site',
  batchable: false,
  secrets: ['url'],
  input: closed({
    id: idProperty,
    path: Type.Optional(
      Type.String({ description: 'The page to begin with; the default is `/`.', pattern: '^/', maxLength: 1100 }),
    ),
    follow: flag('Shows the newest state of the theme at any time, instead of the present one.'),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 7 * usualSeconds,
        description: `Seconds for which the link works. The default is ${usualSeconds}, a day.`,
      }),
    ),
  }),
  output: linkOutput,
  links: 'url',
  examples: [{ title: 'The home page in the shipped theme', input: { id: 'default' } }],
  prepare: beforeReading,
  async run(context, { id, path = '/', follow = false, expires_in: seconds = usualSeconds }) {
    const { now, db } = context
    const theme = await getTheme(db, id)
    const state = await stateOf(db, theme)
    const link = await makeLink(context, 'theme', {
      entry_id: null,
      theme: id,
      title: theme.manifest.name === '' ? id : theme.manifest.name,
      revision: state.revision,
      content: follow ? '' : JSON.stringify(state.kept),
      follow,
      until: now + seconds * 1000,
    })
    return { ...link, url: link.url + encodeURI(path) }
  },
})
