// SVC_Settings.maintenance: closes the site for a while and opens it again. Each door decides which requests it then refuses.

import { type Static, Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import {
  type Announced,
  announcedIn,
  findRow,
  maintenanceFile,
  maintenanceKey,
  maxMessageLength,
  rowValue,
} from '../../settings/maintenance.ts'
import { formatDateOrNull, parseDate } from '../../settings/time-zone.ts'
import { action, type WriteContext } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'
import { clearableText, closed } from '../../base/schema.ts'

/** The only call that is accepted during maintenance. */
export const maintenanceCall = 'SVC_Settings.maintenance'

const input = closed({
  on: Type.Boolean({ description: 'True closes the site, false opens it.' }),
  message: clearableText(
    `The message for visitors and callers, at most ${maxMessageLength} characters. Null for the default message.`,
    maxMessageLength,
  ),
  until: clearableText('When the site opens automatically, such as 2099-01-31T18:00. Null keeps it closed.', 50),
})
type MaintenanceInput = Static<typeof input>

/** The new content of the row; null deletes it. */
type State = Announced | null

export const maintenance = action('SVC_Settings.maintenance', {
  title: 'Change maintenance',
  summary: 'Closes the site for a while, or opens it again. Visitors see a page that says so; calls get 503.',
  did: 'changed maintenance',
  tier: 'admin',
  effect: 'act',
  touches: 'site',
  input,
  output: itemOutput(
    Type.Object({
      on: Type.Boolean(),
      message: nullable(Type.String(), 'Null for the default message.'),
      until: nullable(Type.String()),
      by_file: Type.Boolean({ description: `Whether the file ${maintenanceFile} in the home keeps the site closed.` }),
    }),
  ),
  examples: [
    { title: 'Close the site until a time', input: { on: true, message: 'New shelves.', until: '2099-01-31T18:00' } },
    { title: 'Open it again', input: { on: false } },
  ],
  // This reads a file, so it runs before the transaction.
  prepares: [],
  prepare: ({ site }) => site.maintenance.look(),
  async run(context, asked) {
    const { db, now, site } = context
    const byFile = site.maintenance.now()?.byFile === true
    if (byFile && !asked.on) throw keptByFile(site.config.POSTERN_HOME)
    const row = await findRow(db)
    const present = row ? announcedIn(row) : null
    const before = present?.until != null && present.until <= now ? null : present
    const after = stateAsked(context, before, asked)
    await save(context, row, after)
    const warnings = byFile
      ? [{ code: 'by_file', message: `The file ${maintenanceFile} closes the site too, and its message is shown.` }]
      : []
    return { item: { ...shown(after), by_file: byFile }, changed: differing(before, after), warnings, activity_id: null }
  },
})

function keptByFile(home: string): Failure {
  return new Failure(
    'refused',
    `The file ${maintenanceFile} in the site's home keeps it closed. While the file exists, no call can open the site.`,
    {
      field: 'on',
      rule: `the file ${maintenanceFile} takes precedence`,
      hint: `On the server: rm ${home}/${maintenanceFile}`,
    },
  )
}

/** @throws Failure `invalid` for a message or a time with `on: false`, or a time in the past */
function stateAsked(context: WriteContext, before: State, { on, message, until }: MaintenanceInput): State {
  if (on) {
    return {
      message: message === undefined ? (before?.message ?? null) : message?.trim() || null,
      until: until === undefined ? (before?.until ?? null) : until === null ? null : readUntil(context, until),
    }
  }
  const field = message != null ? 'message' : until != null ? 'until' : undefined
  if (field === undefined) return null
  throw invalid(field, `"${field}" is for a closed site: it needs "on": true.`, 'left out where `on` is false')
}

function readUntil({ site, now }: WriteContext, text: string): number {
  const at = parseDate(text, site.settings.values.time_zone, 'start')
  if (at !== undefined && at > now) return at
  const expected = 'a future date, such as "2099-01-31T18:00"'
  throw invalid('until', `"until" must be ${expected}.`, expected)
}

async function save({ change }: WriteContext, row: Awaited<ReturnType<typeof findRow>>, state: State): Promise<void> {
  if (state === null) {
    if (row) await change.remove('setting', row)
    return
  }
  const value = rowValue(state)
  if (row) await change.update('setting', row, { value })
  else await change.insert('setting', { key: maintenanceKey, value })
}

function shown(state: State): { on: boolean; message: string | null; until: string | null } {
  const { message = null, until = null } = state ?? {}
  return { on: state !== null, message, until: formatDateOrNull(until) }
}

function differing(before: State, after: State): string[] {
  const [old, now] = [shown(before), shown(after)]
  return (['on', 'message', 'until'] as const).filter((field) => old[field] !== now[field])
}
