// German for the sentences of failures and findings.

import content from './content.json'
import health from './health.json'
import imports from './imports.json'
import media from './media.json'
import operations from './operations.json'
import people from './people.json'
import phrases from './phrases.json'
import plugins from './plugins.json'
import programs from './programs.json'
import structure from './structure.json'
import themes from './themes.json'

export const sentences: Readonly<Record<string, string>> = {
  ...content,
  ...health,
  ...imports,
  ...media,
  ...operations,
  ...people,
  ...phrases,
  ...plugins,
  ...programs,
  ...structure,
  ...themes,
}
