// Plans the move of texts from the settings of a theme into the home page: what each home page's text becomes. Refuses where the
// move would lose something, or would pass over a rule of the owner.

import { Failure } from '../../base/failure.ts'
import { isPublic } from '../../content/entries/entry.ts'
import { languagesOf } from '../../content/languages/languages.ts'
import { listPublishedGroup } from '../../content/languages/translations.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { namesRetired, retiredValues } from '../../themes/retired.ts'
import { retiredFiles } from '../../themes/shipped.ts'
import type { Theme } from '../../themes/theme.ts'
import type { Context } from '../call/action.ts'
import { homeTextsMarkdown, type HomeTexts, withHomeTexts } from './home-texts.ts'
import { homeTextsOf } from './home-values.ts'

export interface HomePlan {
  /** The ids of the settings to clear; empty if there is nothing to move. */
  readonly settings: readonly string[]
  /** The home pages, as they were read, each with its new text. */
  readonly pages: readonly { readonly entry: EntryRow; readonly body: string }[]
}

/** The shipped theme whose retired settings a theme has. */
export const shippedOf = ({ shipped, slug, base }: Pick<Theme, 'shipped' | 'slug' | 'base'>): string | undefined =>
  shipped ? slug : base

/** @throws Failure `refused`, with what stands in the way */
export async function planHome(context: Context, theme: Theme): Promise<HomePlan> {
  const shipped = shippedOf(theme)
  const settings = shipped === undefined ? [] : retiredValues(shipped, theme.chosen)
  if (shipped === undefined || settings.length === 0) return { settings: [], pages: [] }
  checkOwnFiles(theme, shipped)
  const pages: { entry: EntryRow; body: string }[] = []
  for (const entry of await listHomes(context)) {
    const texts = await homeTextsOf(context, theme, entry)
    const body = withHomeTexts(entry.body, texts)
    await checkRendered(context, texts)
    pages.push({ entry, body })
  }
  return { settings, pages }
}

/** The rule of every refusal: the settings then keep their texts, and the theme shows them as before. */
const rule = 'the texts are moved whole or stay as they are'

/** Files of the owner may show the settings in their own way, or replace the templates that did. */
function checkOwnFiles({ slug, shipped, own }: Theme, base: string): void {
  if (shipped) return
  const replaces = [...(retiredFiles().get(base)?.keys() ?? [])].some((path) => path.endsWith('.liquid') && own.has(path))
  if (!replaces && !namesRetired(base, own)) return
  throw new Failure('refused', `The theme ${slug} has files of its own that show these texts.`, {
    rule,
    hint: 'SVC_Content.edit writes sections into the home page, and SVC_Themes.remove brings back the files of the base.',
  })
}

/** The home page of each language. */
async function listHomes({ site, db, now }: Context): Promise<readonly EntryRow[]> {
  const { values } = site.settings
  const home = values.home === null ? undefined : await site.entries.named(values.home)
  if (!home || !isPublic(home, now))
    throw new Failure('refused', 'The home page is the list of posts, so it has no text of its own.', {
      rule,
      hint: 'SVC_Settings.update {"set": {"home": "/welcome"}} makes a public page the home page.',
    })
  const languages = languagesOf(values)
  const group = await listPublishedGroup(db, home, languages, now)
  const homes = [home]
  for (const language of languages.further) {
    const member = group.find((one) => one.locale === language && isPublic(one, now))
    const row = member && (await site.entries.named(member.id))
    if (!row)
      throw new Failure('refused', `The home page has no public translation into the language ${language}.`, {
        rule,
        hint: 'SVC_Content.create with `translation_of` makes one.',
      })
    if (homes.every(({ id }) => id !== row.id)) homes.push(row)
  }
  for (const entry of homes) checkWritable(entry, values.stage_edits)
  return homes
}

function checkWritable({ path, staged }: EntryRow, stageEdits: boolean): void {
  if (staged === 1)
    throw new Failure('refused', `Changes of ${path} wait to be published.`, {
      rule,
      hint: 'SVC_Content.publish or SVC_Content.discard ends the waiting.',
    })
  if (stageEdits)
    throw new Failure('refused', 'On this site, edits of published entries wait until a person publishes them.', {
      rule: 'setting stage_edits',
      hint: 'SVC_Settings.update {"set": {"stage_edits": false}} lets this edit through.',
    })
}

/** Refuses texts of which the page would leave something out, such as a link to an address that texts can't have. */
async function checkRendered({ site }: Context, texts: HomeTexts): Promise<void> {
  const { formulas } = site.settings.values
  const { html, removed, notices } = await site.renderer.render(homeTextsMarkdown(texts), { formulas })
  const links = linksOf(texts).filter((link) => link !== '').length
  // A heading has a link to itself.
  const isWhole = (html.match(/<a (?!href="#)/g) ?? []).length >= links && (!texts.hero?.image || html.includes('<img '))
  if (isWhole && removed.length + notices.length === 0) return
  throw new Failure('refused', 'One of these texts has an address that a page can’t have.', {
    rule,
    hint: 'SVC_Themes.get shows the settings; correct the addresses of links and of the picture there.',
  })
}

const linksOf = ({ hero, services }: HomeTexts): readonly string[] => [
  ...(hero && hero.button !== '' ? [hero.link] : []),
  ...services.map(({ link }) => link),
]
