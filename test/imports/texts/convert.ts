// Conversions of texts for tests, with a few answers.

import { convertText, referencesIn } from '../../../src/imports/texts/convert-text.ts'
import type { ConvertedText, ImportText, TextAnswers } from '../../../src/imports/text.ts'

const file = (path: string, alt = '', caption = '') => ({ path, alt, caption })

export const answers: TextAnswers = {
  title: 'The mill',
  addresses: new Map([
    ['https://old.example/mill.jpg', '/media/mill.jpg'],
    ['https://old.example/2019/05/bread/', '/bread'],
    ['__GHOST_URL__/content/images/mill.jpg', '/media/mill.jpg'],
    ['__GHOST_URL__/bread/', '/bread'],
  ]),
  files: new Map([
    ['7', file('/media/seven.jpg', 'Seven loaves', 'Baked at four')],
    ['8', file('/media/eight.jpg', 'Eight rolls')],
    ['9', file('/media/song.mp3', '', 'The song of the miller')],
  ]),
  ownFiles: [file('/media/one.png', 'One'), file('/media/two.png'), file('/media/talk.mp3', '', 'A talk')],
  entries: new Map<string, ImportText>(),
  footnotes: new Map([['f-1', 'The <em>archive</em> has the bill.']]),
}

export const convert = (text: ImportText, more: Partial<TextAnswers> = {}): ConvertedText => {
  referencesIn(text)
  return convertText(text, { ...answers, ...more })
}

/** The losses of a text, such as `shortcode [rev_slider]`. */
export const lossesOf = ({ losses }: ConvertedText): readonly string[] => losses.map(({ group, name }) => `${group} ${name}`)
