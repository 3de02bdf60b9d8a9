// Ends the process after an error of the plugin, with one last message that says why. The message contains no paths of the server.

import { send } from './channel.ts'

/** The real `exit`. The wall replaces `process` later. */
const exit: (code: number) => never = process.exit.bind(process)

/** Sends the error to the site and ends the process. */
export function die(reason: 'load' | 'threw', error: unknown, folder: string): never {
  const memory = error instanceof RangeError && /allocat/i.test(error.message)
  try {
    send({ kind: 'fatal', reason: memory ? 'memory' : reason, message: describe(error, folder), trace: traceOf(error, folder) })
  } finally {
    exit(70)
  }
}

function describe(error: unknown, folder: string): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `${typeof error} ${String(error)} was thrown`
  return withoutFolder(text, folder).split('\n')[0] ?? ''
}

/** The stack frames in the plugin's own files. */
function traceOf(error: unknown, folder: string): string {
  const stack = error instanceof Error ? String(error.stack) : ''
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && line.includes(folder))
  return frames
    .slice(0, 8)
    .map((frame) => withoutFolder(frame, folder).trim())
    .join('\n')
}

function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '').replaceAll(folder, '.')
}
