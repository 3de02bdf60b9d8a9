// English for people, for the sentences of failures that are worded for programs.

import people from './people.json'

export const sentences: Readonly<Record<string, string>> = people
