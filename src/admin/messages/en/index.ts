// The messages in English. They define the keys.

import access from './access.json'
import account from './account.json'
import activity from './activity.json'
import appearance from './appearance.json'
import connections from './connections.json'
import console from './console.json'
import content from './content.json'
import home from './home.json'
import media from './media.json'
import operations from './operations.json'
import parts from './parts.json'
import people from './people.json'
import recorded from './recorded.json'
import scripts from './scripts.json'
import shell from './shell.json'
import structure from './structure.json'

export const en = {
  access,
  account,
  activity,
  appearance,
  connections,
  console,
  content,
  home,
  media,
  operations,
  parts,
  people,
  recorded,
  scripts,
  shell,
  structure,
}
