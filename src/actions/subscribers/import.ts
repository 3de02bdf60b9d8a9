import { Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { closed, flag } from '../../base/schema.ts'
import { addSubscribers, type AddedSubscriber, subscriberAddress } from '../../mail/newsletter/subscriber-store.ts'
import type { Db } from '../../store/core/database.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { consentProperty, newsletterLanguages } from './subscriber-item.ts'
import { readSubscribers, type SubscriberFile } from './subscriber-csv.ts'

const maxCsvChars = 4 * 1024 ** 2

export const importList = action('SVC_Subscribers.import', {
  title: 'Import subscribers',
  summary: 'Adds the people of a list, or the members that an import of a site has kept. Nobody gets a mail about it.',
  did: 'imported subscribers',
  tier: 'admin',
  effect: 'act',
  touches: 'access',
  input: closed({
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxCsvChars,
        description:
          'A first line with `email`, and `name`, `language` or `state` if there are any; the names of other systems are known. People who are unsubscribed there stay so here.',
      }),
    ),
    members: flag('Takes the members and subscribers that imports of other sites have kept, in place of `csv`.'),
    consent: consentProperty,
  }),
  output: Type.Object({
    added: Type.Integer(),
    known: Type.Integer({ description: 'They were there already.' }),
    ended: Type.Integer({ description: 'They have unsubscribed, here or there, and stay so.' }),
    undecided: Type.Integer({ description: 'They never agreed, and are left out.' }),
    faults: Type.Array(Type.String(), { description: 'Lines without an address, the first ten.' }),
    faulty: Type.Integer(),
    ...writeProperties,
  }),
  examples: [
    {
      title: 'A list',
      input: {
        csv: 'email,name\nanna@example.org,Anna\nben@example.org,Ben\n',
        consent: 'Subscribers of our former newsletter.',
      },
    },
  ],
  async run({ db, site, now }, { csv, members = false, consent: given }) {
    if ((csv === undefined) !== members)
      throw invalid('csv', 'Give the list as `csv`, or `members: true`.', 'one of `csv` and `members`')
    const languages = newsletterLanguages(site)
    const languageFor = (name: string): string =>
      languages.find((one) => one.toLowerCase() === name.toLowerCase()) ?? languages[0] ?? 'en'
    const file = csv === undefined ? await keptMembers(db, languageFor('')) : readSubscribers(csv, languageFor)
    const consent = given.toWellFormed()
    const outcome = await addSubscribers(db, file.people, { consent, source: 'import' }, now)
    const ended = await addSubscribers(db, file.ended, { consent, source: 'import', ended: true }, now)
    return {
      added: outcome.added.length,
      known: outcome.known.length,
      ended: outcome.ended.length + ended.added.length,
      undecided: file.undecided,
      faults: [...file.faults],
      faulty: file.faulty,
      warnings: [],
      activity_id: null,
    }
  },
})

/** The members of other sites, as the list that they would be. */
async function keptMembers(db: Db, language: string): Promise<SubscriberFile> {
  const rows = await db.selectFrom('import_member').select(['email', 'name', 'subscribed']).orderBy('id').execute()
  const people: AddedSubscriber[] = []
  const ended: AddedSubscriber[] = []
  let faulty = 0
  for (const { email: given, name, subscribed } of rows) {
    const email = subscriberAddress(given)
    if (email === undefined) faulty++
    else (subscribed === 1 ? people : ended).push({ email, name, language })
  }
  if (people.length + ended.length === 0)
    throw invalid('members', 'No import has kept a member or subscriber.', '`csv`, or an import of a site that has members')
  return { people, ended, undecided: 0, faults: [], faulty }
}
