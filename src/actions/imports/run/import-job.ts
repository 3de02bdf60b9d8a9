// The state of a running import, and its slices. Each slice is one transaction, whose record is a part of the record of the whole
// import, so that an import that is stopped at any moment goes on after its last slice, and is undone as one.

import type { ActivityFacts } from '../../../activity/record.ts'
import type { PackedMap } from '../../../base/packed-map.ts'
import type { EntryWriting } from '../../../content/entries/write-entry.ts'
import type { Book } from '../../../imports/behind/book.ts'
import type { Items } from '../../../imports/behind/items.ts'
import type { PlannedPlace } from '../../../imports/behind/plan-paths.ts'
import type { Report } from '../../../imports/behind/report.ts'
import { type Phase, phases, updateRun } from '../../../imports/behind/runs.ts'
import type { Scan } from '../../../imports/behind/scan.ts'
import { nextTurn } from '../../../imports/behind/turns.ts'
import type { TextConverter } from '../../../imports/behind/text-converter.ts'
import type { ImportFormat } from '../../../imports/import-format.ts'
import type { SourceFiles } from '../../../imports/source-files.ts'
import type { ImportPart } from '../../../imports/stream.ts'
import { newId } from '../../../store/core/ids.ts'
import { createChange } from '../../../store/change/change.ts'
import type { Context } from '../../call/action.ts'
import { authorOf, commit } from '../../call/commit.ts'
import { checkDeadline, partsStay } from '../../call/deadline.ts'
import { type ImportOptions, readOptions } from '../options.ts'

export const runName = 'SVC_Import.run'
export const runSummary = 'Imports another site.'

export interface ImportJobParts {
  readonly context: Context
  readonly id: string
  readonly activityId: string
  readonly options: ImportOptions
  readonly files: SourceFiles
  readonly format: ImportFormat
  readonly scanned: Scan
  readonly items: Items
  readonly book: Book
  readonly places: PackedMap<PlannedPlace>
  readonly report: Report
  readonly converter: TextConverter
  /** The IANA zone of times of the clock on the wall. */
  readonly zone: string
  /** The runs of this site that were undone. What they made is gone and may come again. */
  readonly undoneRuns: ReadonlySet<string>
  /** The phase and the place in it at which an interrupted run goes on. */
  readonly at: { readonly phase: Phase; readonly done: number }
}

export interface ImportJob extends ImportJobParts {
  /** Ids of accounts by the old ids of authors, and of terms by taxonomy and slug. */
  readonly accounts: Map<string, string>
  readonly terms: Map<string, string>
  /** Returns the place in a phase at which it begins; undefined if an earlier run of the job has done the phase. */
  startOf(phase: Phase): number | undefined
  /**
   * Writes a slice in one transaction.
   * @param to the place in the phase that is reached with it
   * @returns the milliseconds for which it held the writer
   */
  slice(to: Reached, work: (writing: EntryWriting) => Promise<void>): Promise<number>
  /**
   * Ends a phase whose failures are tried again when the run is taken up, so that each is reported once.
   * @param next the phase with which an interrupted run goes on
   * @param lost the failures of the phase
   */
  endPhase(next: Phase, lost: Report): Promise<void>
  /** Reads the parts of the import once more. */
  read(): AsyncIterable<ImportPart>
}

export interface Reached {
  readonly phase: Phase
  readonly done: number
  /** Of people: the things that are done, and all of them. */
  readonly shown?: { readonly done: number; readonly total: number }
  readonly note: string
}

export function createImportJob(parts: ImportJobParts): ImportJob {
  const { context, id, activityId, options, files, format, report, at } = parts
  const { site, caller, signal } = context
  const tell = ({ shown, note }: Reached) =>
    context.progress?.(shown ? { done: shown.done, total: shown.total, note } : { done: 0, note })
  return {
    ...parts,
    accounts: new Map(),
    terms: new Map(),
    startOf(phase) {
      const [asked, reached] = [phases.indexOf(phase), phases.indexOf(at.phase)]
      if (asked < reached) return undefined
      return asked === reached ? at.done : 0
    },
    async slice(to, work) {
      checkDeadline(context, partsStay)
      const now = site.clock.now()
      const progress = JSON.stringify({ ...to.shown, note: to.note })
      let begun = 0
      await commit(site, runName, async ({ db, record }) => {
        begun = performance.now()
        const change = createChange(db, { now, author: authorOf(caller, runName), keepsTimes: true })
        await work({ change, caller, release: site.release, types: site.types.current })
        const patch = { phase: to.phase, done: to.done, progress, report: JSON.stringify(report.data()), updated_at: now }
        await updateRun(db, id, patch)
        record({ ...factsOf(context, now), id: newId(now), records: change.records, partOf: activityId })
      })
      const heldMs = performance.now() - begun
      tell(to)
      await nextTurn()
      return heldMs
    },
    async endPhase(next, lost) {
      report.add(lost.data())
      await updateRun(site.store.write, id, { phase: next, done: 0, report: JSON.stringify(report.data()) })
    },
    read: () => format.read(files, readOptions(options, signal)),
  }
}

/** The facts of a record of an import. */
export const factsOf = ({ caller }: Pick<Context, 'caller'>, now: number): Omit<ActivityFacts, 'id' | 'records'> => ({
  call: runName,
  runs: [{ name: runName, tier: 'admin', effect: 'write' }],
  summary: runSummary,
  caller,
  input: {},
  now,
})
