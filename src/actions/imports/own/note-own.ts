// The report of an export of Postern that is taken back.

import { cutText } from '../../../base/cut-text.ts'
import { readFrontMatter } from '../../../content/entries/front-matter.ts'
import { keptPeopleNames } from '../../../exports/kept-people-files.ts'
import { subscribersName } from '../../../exports/subscriber-files.ts'
import type { PlannedCall } from '../../../exports/folder-sides.ts'
import type { Report } from '../../../imports/behind/report.ts'
import type { ImportOptions } from '../options.ts'
import type { OpenedOwn } from './with-own.ts'

/** Notes what would be overwritten, the settings that come, and what is passed over. */
export function notePlan({ plan, clashes, wanted }: OpenedOwn, options: ImportOptions, report: Report): void {
  const why = options.on_clash === 'skip' ? 'it stays as it is here' : 'it gets the content of the export'
  for (const path of clashes) report.clash({ kind: 'entry', title: titleAt(wanted, path), path, why })
  for (const { input, call } of plan.stages.flat())
    if (call === 'SVC_Settings.update')
      for (const [key, value] of Object.entries(input['set'] as object))
        report.setting(key, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  for (const { path, why: reason } of plan.passedOver) report.loss('file', path, reason)
}

function titleAt(wanted: OpenedOwn['wanted'], path: string): string {
  const text = wanted.get(`content${path}/index.md`)?.text ?? wanted.get(`content${path}.md`)?.text
  const title = text === undefined ? undefined : readFrontMatter(text).fields['title']
  return typeof title === 'string' ? cutText(title, 120) : path
}

/** The counts of calls that make something. Calls about what is there already count as `updated`. */
const made: Readonly<Record<string, string>> = {
  'SVC_Media.upload': 'media.made',
  'SVC_Terms.create': 'terms.made',
  'SVC_Terms.save-taxonomy': 'taxonomies.made',
  'SVC_Types.create': 'types.made',
  'SVC_Menus.create': 'menus.made',
  'SVC_Forms.create': 'forms.made',
  'SVC_Skills.put': 'skills.made',
  'SVC_Themes.create': 'themes.made',
}

/** The counts of people, by the file that has them. */
const keptAs: Readonly<Record<string, string>> = {
  [keptPeopleNames.comments]: 'comments.kept',
  [keptPeopleNames.members]: 'members.kept',
  [subscribersName]: 'subscribers.made',
}

/** Counts a call that was made. */
export function countCall(report: Report, { call, input, path }: PlannedCall, isNew: boolean): void {
  const rows = Object.values(input).find(Array.isArray) as readonly unknown[] | undefined
  if (call === 'SVC_Content.put') {
    if (input['stage'] !== true) report.count(isNew ? 'entries.made' : 'entries.updated')
  } else if (call === 'SVC_Redirects.put-many') report.count('redirects.made', rows?.length)
  else if (call === 'SVC_Import.put-comments') report.count('comments.kept', rows?.length)
  else if (call === 'SVC_Import.put-people') report.count(keptAs[path] ?? 'authors.made', rows?.length)
  else if (made[call] !== undefined) report.count(made[call])
}
