// Converts the texts of an import in a thread of its own, each within a time and a memory limit, so that visitors are served
// meanwhile. A text that takes too long is kept as it is written.

import { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import { workerFile } from '../../base/worker-file.ts'
import { createWorkerQueue, openThread } from '../../base/worker-queue.ts'
import type { ConvertedText, ImportText, TextAnswers, TextReferences } from '../text.ts'

/** A message to the thread. */
export type TextJob =
  | { readonly kind: 'references'; readonly text: ImportText }
  | { readonly kind: 'convert'; readonly text: ImportText; readonly answers: TextAnswers }

export interface TextConverter {
  /** @throws Failure `unprocessable` for a text that takes too long or too much memory */
  references(text: ImportText): Promise<TextReferences>
  /** @throws Failure as `references` */
  convert(text: ImportText, answers: TextAnswers): Promise<ConvertedText>
  close(): Promise<void>
}

/** Creates a converter. Its thread starts with the first text. */
export function createTextConverter(log: Log): TextConverter {
  const tooMuch = (what: string) => new Failure('unprocessable', `the text ${what}`)
  const queue = createWorkerQueue<TextJob, TextReferences | ConvertedText>({
    timeoutMs: 10_000,
    idleMs: 3000,
    maxWaiting: 10_000,
    log,
    open: openThread(() => workerFile('imports/text-worker.js', import.meta.url), 512),
    words: { thread: 'the converter of imports', job: 'a text', verb: 'convert' },
    facts: ({ text }) => ({ chars: text.source.length }),
    failures: {
      full: () => new Failure('unavailable', 'Too many texts wait to be converted.'),
      tooMuch,
      broken: (cause) => new Failure('unprocessable', 'the text could not be converted', {}, cause ? { cause } : {}),
    },
  })
  return {
    references: (text) => queue.put({ kind: 'references', text }) as Promise<TextReferences>,
    convert: (text, answers) => queue.put({ kind: 'convert', text, answers }) as Promise<ConvertedText>,
    close: () => queue.close(),
  }
}
