// The doctor: runs all rows on one site and returns their findings. It repairs nothing.

import { errorMessage } from '../base/error-message.ts'
import { createDoctor, type Doctor, type DoctorOptions } from './doctor.ts'
import { type Finding, findingOf, ok, type Row, unknown, type Verdict } from './finding.ts'
import { postMcp, resource } from './questions.ts'
import { nodeRows } from './rows-nodes.ts'
import { addressRows } from './rows-address.ts'
import { answerRows } from './rows-answer.ts'
import { doorRows } from './rows-door.ts'
import { filterRows } from './rows-filter.ts'
import { reachRows, whyNotAsk } from './rows-reach.ts'
import { passedRows } from './rows-passed.ts'
import { protectedRows } from './rows-protected.ts'
import { redirectRows } from './rows-redirect.ts'

/** The rows in the order of their findings. Faults nearer to the client come first, because they hide the faults behind them. */
export const doctorRows: readonly Row[] = [
  ...reachRows,
  ...redirectRows,
  ...passedRows,
  ...addressRows,
  ...doorRows,
  ...answerRows,
  ...filterRows,
  ...protectedRows,
  ...nodeRows,
]

export interface DoctorChoice {
  /** The ids of the rows to run; by default all. */
  readonly only?: readonly string[] | undefined
  /** Also runs the rows that take minutes. */
  readonly slow?: boolean
  /** False leaves out the rows for which the service has a better check; the default is true. */
  readonly planted?: boolean
}

/** Examines a site through its public address. Each row has at least one finding. */
export async function runDoctor(
  options: DoctorOptions,
  { only, slow = false, planted = true }: DoctorChoice = {},
): Promise<readonly Finding[]> {
  const doctor = createDoctor(options)
  const rows = doctorRows
    .filter((row) => planted || row.planted !== true)
    .filter((row) => row.nodes !== true || (options.nodes?.length ?? 0) > 0)
    .filter(({ id, slow: isSlow }) => (only ? only.includes(id) : slow || isSlow !== true))
  const found = new Map<Row, readonly Verdict[]>()
  const look = async (some: readonly Row[]) =>
    void (await Promise.all(some.map(async (row) => found.set(row, await verdictsOf(doctor, row)))))
  await look(rows.filter(({ first }) => first))
  const fault = await whyNotAsk(doctor)
  const others = rows.filter(({ first }) => !first)
  if (fault === undefined) await look(others)
  else for (const row of others) found.set(row, [unknown(fault)])
  const { server } = (await doctor.ask(resource)).headers
  return rows.flatMap((row) => (found.get(row) ?? []).map((verdict) => findingOf(row, verdict, server)))
}

const well = ok('As it should be.')

export const takesToken = 'This row needs a token of scope admin: postern doctor --url … --token …'

/** The reason why a row can't be checked; undefined if it can. */
const missingFor: Readonly<Record<NonNullable<Row['needs']>, (doctor: Doctor) => Promise<string | undefined>>> = {
  token: async ({ options: { token } }) => (token === undefined ? takesToken : undefined),
  async seen(doctor) {
    if (doctor.options.key === undefined) return takesToken
    const asked = await Promise.all([resource, postMcp].map((one) => doctor.ask(one)))
    if (asked.some(({ seen }) => seen !== undefined)) return undefined
    return 'The site does not report what arrives: the requests do not reach it, or the header x-postern-saw is removed from its answers.'
  },
}

async function verdictsOf(doctor: Doctor, row: Row): Promise<readonly Verdict[]> {
  try {
    const missing = row.needs && (await missingFor[row.needs](doctor))
    if (missing !== undefined) return [unknown(missing)]
    const verdicts = await row.run(doctor)
    return verdicts.length > 0 ? verdicts : [well]
  } catch (error) {
    doctor.options.signal.throwIfAborted()
    // An error in one row stops none of the others.
    return [unknown(`This row could not be checked: ${errorMessage(error)}`)]
  }
}
