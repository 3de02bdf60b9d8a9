// Recurring work: moves the texts of a front page into the home page, once, after an upgrade to the first release that has them
// there. What is undone stays undone.

import { system } from '../../identity/caller.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import { retiredValues } from '../../themes/retired.ts'
import { callAction } from '../call/call-action.ts'
import type { Services } from '../call/services.ts'
import { shippedOf } from './home-plan.ts'
import { moveTexts, wereTextsMoved } from './move-texts.ts'

/** The turn, while there are texts to move. It repeats, because a change of the home page may wait to be published. */
export async function moveTextsTurn(site: Services): Promise<readonly Recurring[]> {
  const theme = await site.themes.active()
  const shipped = shippedOf(theme)
  if (shipped === undefined || retiredValues(shipped, theme.chosen).length === 0) return []
  if (await wereTextsMoved(site.store.read)) return []
  return [
    {
      name: 'texts of the home page',
      call: 'SVC_Themes.move-texts',
      everyMs: 60 * 60_000,
      afterStartMs: 0,
      async run() {
        const { data, failure } = await callAction(site, system, moveTexts, {}, {}, { origin: '' })
        if (failure && failure.code !== 'refused') throw failure
        return failure ? { moved: [], waits: failure.message } : { moved: data.changed }
      },
    },
  ]
}
