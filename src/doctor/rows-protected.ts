// Rows of the doctor: does the web server in front serve protected files? From outside, the doctor can request only paths that
// always exist: the error log and the folders' listings. The service itself also creates files and requests those
// (`SVC_Health.check`).

import type { DoctorAnswer } from './doctor.ts'
import { broken, type Row } from './finding.ts'
import { denyFix } from './front-lines.ts'
import { protectedFolders, spellingsOf } from './protected-paths.ts'
import { isForeign, isHtml, describe } from './questions.ts'

const logPaths = spellingsOf('/user-content/logs', 'postern-errors.log')
const listingPaths = protectedFolders.map((folder) => `${folder}/`)

/** True if an answer is a web server's listing of a folder, and not the page of a program that answers every path. */
const isListing = ({ text }: DoctorAnswer): boolean =>
  /index of|postern-errors\.log|<title>[^<]*user-content|href="\.\.\/?"/i.test(text.slice(0, 100_000))

/** True if another program handed out a file. Postern answers none of these paths with 200. */
const isHandedOut = (asked: DoctorAnswer): boolean =>
  [200, 206].includes(asked.status) && isForeign(asked) && !asked.kept && (!isHtml(asked) || isListing(asked))

const protectedRow: Row = {
  id: 'protected-folders',
  source: 'the error log, or the listing of a protected folder, can be read by anyone',
  planted: true,
  async run(doctor) {
    // The paths begin at the host's root, because a spelling may begin with two slashes.
    const paths = [...logPaths, ...listingPaths].map((path) => ({ path: `/${doctor.base.path}${path}` }))
    const asked = await doctor.askAll(paths)
    const [first, ...more] = asked.filter(isHandedOut)
    if (!first) return []
    const others = more.length === 0 ? '' : `, and ${more.length} more ${more.length === 1 ? 'path' : 'paths'} like it`
    return [
      broken(
        `${first.what} came back with ${describe(first)}${others}: anyone can read the protected folders.`,
        denyFix(doctor.base),
        describe(first),
      ),
    ]
  },
}

export const protectedRows: readonly Row[] = [protectedRow]
