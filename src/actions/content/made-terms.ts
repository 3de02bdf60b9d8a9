// Terms that a write to entries makes because its caller says `terms_create: true`. The rules are those of SVC_Terms.create:
// whoever may not call it makes no terms in this way either.

import { cutText } from '../../base/cut-text.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { flag } from '../../base/schema.ts'
import { findTaxonomy, listTaxonomies } from '../../content/terms/taxonomies.ts'
import { listTermsNamed } from '../../content/terms/named-terms.ts'
import { insertTerm } from '../../content/terms/write-term.ts'
import { checkLimits, isRefused } from '../../identity/check-limits.ts'
import type { Context, WriteContext } from '../call/action.ts'
import { touchesOf } from '../call/check-input.ts'
import { isVisible } from '../call/registry.ts'
import type { WriteWarning } from '../call/write-answer.ts'
import { writingOf } from './writing.ts'
import { lineOf, maxTermName } from '../terms/fields.ts'
import type { UnknownTerms } from '../shared/term-names.ts'

const makingAction = 'SVC_Terms.create'

/** The argument of a write to entries. */
export const termsCreateProperty = flag('Makes missing `terms`, by name: `["tag/Sailing boats"]`.')

/** The other actions that a write with this input may run, for limits that ask first. */
export const runsOfTerms = ({ terms_create: makes }: { readonly terms_create?: boolean | undefined }): readonly string[] =>
  makes === true ? [makingAction] : []

/** The unknown terms of a call, and the warnings about those that it made. */
export interface TermMaking extends UnknownTerms {
  readonly warnings: readonly WriteWarning[]
}

/** @param makes the argument `terms_create` */
export function termsOf(context: WriteContext, makes: boolean | undefined): TermMaking {
  const made = new Map<string, string>()
  return {
    hint: mayMake(context) ? '`terms_create: true` makes the terms that are not there.' : undefined,
    ...(makes === true && {
      async find(ref, field) {
        const { taxonomy, name } = await readName(context, ref, field)
        const named = await listTermsNamed(context.change, taxonomy, name)
        const top = named.filter(({ parent_id: parent }) => parent === null)
        const [term, ...others] = top.length === 1 ? top : named
        if (others.length > 0) throw severalNamed(ref, field, named)
        if (term) return term
        checkMaking(context, `${taxonomy}/${name}`)
        const row = await insertTerm(writingOf(context), taxonomy, { name })
        made.set(row.ref, row.name)
        return row
      },
    }),
    get warnings() {
      return made.size === 0 ? [] : [termsCreated(made)]
    },
  }
}

function termsCreated(made: ReadonlyMap<string, string>): WriteWarning {
  const shown = [...made].map(([ref, name]) => `${ref} (${JSON.stringify(name)})`)
  const [terms, it] = made.size === 1 ? ['term', 'it'] : ['terms', 'them']
  return {
    code: 'terms_created',
    message: `This call made the new ${terms} ${shown.join(', ')}. SVC_Terms.update changes ${it}.`,
    found: [...made.keys()],
  }
}

/** True if the caller may call the action that makes terms. */
function mayMake({ site, caller }: Context): boolean {
  const action = site.registry.find(makingAction)
  return action !== undefined && isVisible(action, caller) && !isRefused(caller, touchesOf(action, {}))
}

/** @throws Failure `refused` to a caller who may not call the action that makes terms */
function checkMaking({ site, caller }: Context, ref: string): void {
  const action = site.registry.find(makingAction)
  const what = `a new term (${cutText(ref, 100)})`
  if (action && isVisible(action, caller)) return checkLimits(caller, touchesOf(action, {}), what, action.effect)
  throw new Failure('refused', `The limits of this client refuse ${what}.`, {
    field: 'terms_create',
    rule: 'who makes terms while writing may also make them by themselves',
    hint: 'Use terms that are there.',
  })
}

/** Returns the taxonomy and the name of a term that may have to be made. @throws Failure `invalid` */
async function readName({ db }: Context, ref: string, field: string): Promise<{ taxonomy: string; name: string }> {
  const [first = '', ...rest] = ref.replace(/^\//, '').split('/')
  const taxonomy = rest.length > 0 ? await findTaxonomy(db, first.trim().toLowerCase()) : undefined
  if (!taxonomy) {
    const slugs = (await listTaxonomies(db)).map(({ slug }) => slug)
    const expected = `a taxonomy and a name, such as \`${slugs.includes('tag') ? 'tag' : (slugs[0] ?? 'tag')}/Sailing boats\``
    throw invalid(field, `To make ${shown(ref)}, its taxonomy must be named: ${slugs.join(', ')}.`, expected)
  }
  const name = lineOf(rest.join('/'), field)
  if (taxonomy.tree && rest.length > 1)
    throw new Failure('invalid', `The name ${shown(name)} has a slash, which in a tree could mean a term below another.`, {
      field,
      expected: `\`${taxonomy.slug}/Name\``,
      hint: 'SVC_Terms.create makes a term below another by its `parent`, and one with a slash in its name.',
    })
  if (name.length > maxTermName)
    throw invalid(field, `The name of a term has at most ${maxTermName} characters.`, `at most ${maxTermName} characters`)
  return { taxonomy: taxonomy.slug, name }
}

const shown = (text: string): string => JSON.stringify(cutText(text, 100).toWellFormed())

const severalNamed = (ref: string, field: string, named: readonly { readonly ref: string }[]): Failure =>
  invalid(
    field,
    `Several terms have the name ${shown(ref)}.`,
    named.slice(0, 10).map((one) => one.ref),
  )
