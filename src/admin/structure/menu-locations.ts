// The locations of the active theme as choices, by their labels. On a site with several languages each location also has one for
// the pages of a further language.

import { menus } from '../../actions/menus/index.ts'
import { languageNames } from '../content/language-names.ts'
import { get } from '../page.ts'
import type { Choice } from '../parts/fields.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

type Labels = ReadonlyMap<string, string>

/** The words for the locations of the themes that come with Postern; another theme says its own. */
const known: Readonly<Record<string, MessageKey>> = {
  main: 'structure.location_main',
  footer: 'structure.location_footer',
  tree: 'structure.location_tree',
  links: 'structure.location_links',
  editions: 'structure.location_editions',
}

/** The labels of all locations. */
export async function locationLabels({ site, t }: SignedIn): Promise<Labels> {
  const { manifest } = await site.themes.active()
  const nameOf = languageNames(t)
  const { languages } = site.settings.values
  return new Map(
    Object.entries(manifest.menus).flatMap(([location, given]) => {
      const word = known[location]
      const label = word ? t(word) : given
      return [
        [location, label] as const,
        ...languages.map(
          (language) =>
            [
              `${location}.${language.toLowerCase()}`,
              t('structure.location_language', { location: label, language: nameOf(language) }),
            ] as const,
        ),
      ]
    }),
  )
}

/** The label of a location; the location itself if the active theme has no such one. */
export const labelOf = (labels: Labels, location: string): string => labels.get(location) ?? location

/** The choices for the location of a menu. A location of another menu says so, and the action refuses it. */
export async function locationChoices(visit: SignedIn, present: string | null): Promise<readonly Choice[]> {
  const { t } = visit
  const labels = await locationLabels(visit)
  const { items } = await get(visit, menus.list, {})
  const taken = new Map(items.flatMap(({ location, name }) => (location === null ? [] : [[location, name] as const])))
  const all = [...new Set([...labels.keys(), ...(present === null ? [] : [present])])]
  return [
    { value: '', label: t('structure.location_none') },
    ...all.map((value) => {
      const location = labelOf(labels, value)
      const menu = value === present ? undefined : taken.get(value)
      return { value, label: menu === undefined ? location : t('structure.location_taken', { location, menu }) }
    }),
  ]
}
