// The names of types in the admin. The built-in types have names in each language, until the owner renames them.

import type { EntryType } from '../../content/types/entry-types.ts'
import type { MessageKey, Words } from '../words.ts'

interface TypeWords {
  /** The original name of the type. */
  readonly name: string
  readonly label: MessageKey
  /** The button that starts a new entry. */
  readonly create: MessageKey
}

const builtIn: Readonly<Record<string, TypeWords>> = {
  page: { name: 'Page', label: 'content.type_page', create: 'content.new_page' },
  post: { name: 'Post', label: 'content.type_post', create: 'content.new_post' },
}

type Named = Pick<EntryType, 'slug' | 'name'>

const wordsOf = ({ slug, name }: Named): TypeWords | undefined => (builtIn[slug]?.name === name ? builtIn[slug] : undefined)

export function typeName(t: Words, type: Named): string {
  const words = wordsOf(type)
  return words ? t(words.label) : type.name
}

/** The text of the button that starts an entry of a type, such as `New post`. */
export function newEntryWords(t: Words, type: Named): string {
  const words = wordsOf(type)
  return words ? t(words.create) : t('content.new_entry', { type: t.language === 'en' ? type.name.toLowerCase() : type.name })
}
