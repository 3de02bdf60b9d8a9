// The forms of the home page: the list of what is left to do is put away, and the examples are thrown away.

import { siteActions } from '../../actions/site/index.ts'
import type { Reply } from '../../http/reply.ts'
import { run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { formTaker } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import { showHome } from './home-page.ts'
import { putAwayFact } from './next-steps.ts'

/** POST with one of the two buttons. */
export const takeHomeForm = formTaker(
  adminPaths.home,
  {
    'put-away': async (visit) => {
      await visit.site.store.write
        .insertInto('site_fact')
        .values({ name: putAwayFact, value: new Date(visit.now).toISOString() })
        .onConflict((on) => on.column('name').doNothing())
        .execute()
      return goDone(visit, adminPaths.home, 'home.done_put_away')
    },
    'remove-examples': async (visit) => {
      const { data, failure } = await run(visit, siteActions.removeExamples, {})
      return data ? goDone(visit, adminPaths.home, siteActions.removeExamples) : failure
    },
  },
  (visit, refused): Promise<Reply> => showHome(visit, refused),
)
