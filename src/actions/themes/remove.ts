import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { checkChange, getOwnTheme } from './changing.ts'
import { fileProperty, idProperty, renderedWrite } from './item.ts'
import { noOwnFile, written } from './own-file.ts'

export const remove = action('SVC_Themes.remove', {
  title: 'Remove a file of [the theme {title}|a theme]',
  summary: 'Removes a file of a theme; that of its base shows again. On the active theme, every kind of page is rendered first.',
  did: 'removed a file of [the theme {title}|a theme]',
  ...renderedWrite,
  effect: 'write',
  input: closed({ id: idProperty, file: fileProperty }),
  examples: [{ title: 'The template for failures', input: { id: 'my-theme', file: 'error.liquid' } }],
  async prepare(context, { id, file }) {
    const theme = await getOwnTheme(context, id)
    if (!theme.own.has(file)) throw noOwnFile(theme, file)
    return checkChange(context, theme, { files: new Map([[file, undefined]]) })
  },
  run: (context, { id, file }, prepared) => written(context, id, new Map([[file, undefined]]), { prepared }),
})
