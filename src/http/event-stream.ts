// Server-sent events as text (WHATWG HTML §9.2). Data can never end an event early or begin another.

import type { ServerEvent } from './reply.ts'

const lineEnd = /\r\n|[\r\n]/

/** One event in wire format. Line ends in `event` and `id` are dropped, because these fields are one line each. */
export function eventText({ event, data, id, retryMs }: ServerEvent): string {
  let text = ''
  if (event !== undefined) text += `event: ${oneLine(event)}\n`
  if (id !== undefined) text += `id: ${oneLine(id)}\n`
  if (retryMs !== undefined) text += `retry: ${Math.round(retryMs)}\n`
  for (const line of data.split(lineEnd)) text += `data: ${line}\n`
  return `${text}\n`
}

/** A comment, which keeps a quiet stream open. */
export const commentText = ':\n\n'

const oneLine = (text: string): string => text.replace(/[\r\n\0]/g, '')
