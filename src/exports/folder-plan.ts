// The calls that make a site equal to a folder of an export. The plan has stages: what others refer to comes first.

import { Failure } from '../base/failure.ts'
import { authorCalls, commentCalls, keptPeopleCalls, subscriberCalls } from './folder-people.ts'
import { goneAddressCalls, oldAddressCalls, redirectCalls } from './folder-addresses.ts'
import { aboutMediaCalls, entryCalls, entryPathOf, isMedia, mediaCalls, stagedCalls } from './folder-content.ts'
import { type Item, type PassedOver, type PlannedCall, readCsvRows, readItems, type Sides, slugOf } from './folder-sides.ts'
import {
  formCalls,
  isLanguage,
  languageCalls,
  menuCalls,
  refOf,
  rootCalls,
  settingCalls,
  skillCalls,
  taxonomyCalls,
  termCalls,
  themeCalls,
  themeSettingCalls,
  typeCalls,
} from './folder-structure.ts'
import { readMark } from './read-mark.ts'

export interface FolderPlan {
  /** A call whose references are made by others of its stage may fail at first. */
  readonly stages: readonly (readonly PlannedCall[])[]
  readonly passedOver: readonly PassedOver[]
}

/** @throws Failure `unprocessable` for a file that can't be read, and to delete what an export of entries alone lacks */
export function planFolder(sides: Sides): FolderPlan {
  const passedOver: PassedOver[] = []
  const mark = readMark(sides.folder)
  if (sides.deleteMissing && !mark.isWhole)
    throw new Failure('unprocessable', 'This export has entries and media alone, so that nothing can be told to be missing.', {
      hint: 'Only an export of the whole site, by the format `postern`, says what a site has.',
    })
  const settings = mark.isWhole ? settingCalls(sides) : languageCalls(sides, mark)
  const stages = [
    typeCalls(sides),
    settings.filter(({ input }) => isLanguage(input)),
    taxonomyCalls(sides),
    mediaCalls(sides),
    aboutMediaCalls(sides),
    termCalls(sides),
    authorCalls(sides),
    formCalls(sides),
    entryCalls(sides, passedOver),
    stagedCalls(sides),
    menuCalls(sides),
    redirectCalls(sides),
    oldAddressCalls(sides, passedOver),
    commentCalls(sides),
    keptPeopleCalls(sides),
    subscriberCalls(sides),
    skillCalls(sides),
    themeCalls(sides),
    themeSettingCalls(sides),
    rootCalls(sides),
    settings.filter(({ input }) => !isLanguage(input)),
    sides.deleteMissing ? deletions(sides) : [],
  ]
  return { stages, passedOver }
}

/** The calls that delete what the folder does not have: entries before the pages above them, and media after what uses them. */
function deletions(sides: Sides): readonly PlannedCall[] {
  const { folder, site } = sides
  const entries = [...folder.keys()].flatMap((path) => entryPathOf(path, 'index') ?? [])
  const kept = new Set(entries)
  const calls: PlannedCall[] = []
  for (const path of [...site.keys()].reverse()) {
    const at = entryPathOf(path, 'index')
    if (at !== undefined && !kept.has(at)) calls.push({ call: 'SVC_Content.delete', input: { ids: [at] }, path })
    const staged = entryPathOf(path, 'staged')
    if (staged !== undefined && kept.has(staged) && !folder.has(path))
      calls.push({ call: 'SVC_Content.discard', input: { id: staged }, path })
    if (path.startsWith('root/') && !folder.has(path))
      calls.push({ call: 'SVC_Site.remove-file', input: { name: path.slice('root/'.length) }, path })
  }
  const gone = (file: string, keyOf: (item: Item) => string) => {
    const wanted = new Set(readItems(folder, file).map(keyOf))
    return readItems(site, file)
      .map(keyOf)
      .filter((key) => !wanted.has(key))
  }
  for (const slug of gone('menus.yaml', slugOf)) calls.push({ call: 'SVC_Menus.delete', input: { id: slug }, path: 'menus.yaml' })
  // An export of an earlier release has no such files, and says nothing about them.
  for (const [path, call] of [
    ['forms.yaml', 'SVC_Forms.delete'],
    ['skills.yaml', 'SVC_Skills.delete'],
  ] as const)
    if (folder.has(path)) for (const slug of gone(path, slugOf)) calls.push({ call, input: { id: slug }, path })
  for (const ref of gone('terms.yaml', refOf).reverse())
    calls.push({ call: 'SVC_Terms.delete', input: { id: ref }, path: 'terms.yaml' })
  const rules = new Set(readCsvRows(folder, 'redirects.csv').map(([from]) => from))
  for (const [from] of readCsvRows(site, 'redirects.csv'))
    if (!rules.has(from)) calls.push({ call: 'SVC_Redirects.delete', input: { ids: [from] }, path: 'redirects.csv' })
  calls.push(...goneAddressCalls(sides))
  for (const path of site.keys())
    if (isMedia(path) && !folder.has(path)) calls.push({ call: 'SVC_Media.delete', input: { ids: [`/${path}`] }, path })
  return calls
}
