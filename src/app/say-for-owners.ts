// The sentences of the admin for mails to owners: one table has the twins of all findings, and only the admin knows it.

import type { SaySentence } from '../actions/mail/notices-turn.ts'
import { createLate } from '../base/late.ts'

const sentences = createLate(() => import('../admin/sentences.ts'))

/** Says a sentence in a language; in English if the language has no words for it. */
export const sayForOwners: SaySentence = async (language, english) => (await sentences()).sentenceIn(language, english) ?? english
