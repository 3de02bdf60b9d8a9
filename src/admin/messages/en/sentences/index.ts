// English for people, for the sentences of failures that are worded for programs.

import imports from './imports.json'
import people from './people.json'

export const sentences: Readonly<Record<string, string>> = { ...imports, ...people }
