// The messages in German.

import type { en } from '../en/index.ts'
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

/** A missing key does not compile. */
export const de: typeof en = {
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
