// How a plugin's process ends by its own fault: one message that says why, without paths of the server, and then nothing.

import { send } from './channel.ts'

/** The real one, which the plugin's `process` then hides. */
const exit: (code: number) => never = process.exit.bind(process)

/** Says what went wrong and ends the process. */
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

/** Where it was, in files of the plugin alone. */
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
