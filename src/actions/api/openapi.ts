// SVC_API.openapi: the OpenAPI document of the caller's actions. An answer has as many classes as fit; a GET has all of them.

import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { jsonText } from '../../base/json.ts'
import { programVersion } from '../../base/program.ts'
import { type Action, action, callName, type Context } from '../call/action.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import { classesNamed } from '../call/vocabulary.ts'
import { nearDetail, nearestIn } from '../../base/nearest.ts'
import { openApiOf } from './openapi-document.ts'
import { closed, boundedText } from '../../base/schema.ts'

/** The path of the whole document, below the base path. */
export const openApiPath = '/api/openapi.json'

/** The limit of an answer, minus room for the members around the document. */
const maxBytes = maxAnswerBytes - 4096

export const openApi = action('SVC_API.openapi', {
  title: 'Get the OpenAPI document',
  summary: 'Describes the actions that you may call as an OpenAPI 3.1 document, for tools.',
  tier: 'any',
  effect: 'read',
  failures: ['unknown_action'],
  input: closed({
    class: Type.Optional(boundedText('Only this class, such as `SVC_Content`, or this action, such as `SVC_Content.get`.', 200)),
  }),
  output: Type.Object({
    document: Type.Unknown({ description: 'OpenAPI 3.1.' }),
    complete: Type.Boolean({ description: 'Whether the document has all actions that were asked for.' }),
    left_out: Type.Array(Type.String(), {
      description: 'Classes, or actions of the one class, that did not fit into the answer; ask for each as `class`.',
    }),
    url: Type.String({ description: 'Where a GET with the same token answers the whole document.' }),
  }),
  examples: [
    { title: 'All that fits', input: {} },
    { title: 'One class', input: { class: 'SVC_Content' } },
  ],
  run(context, { class: wanted }) {
    const { caller, origin, site } = context
    const visible = site.registry.visibleTo(caller)
    const shown = visible.filter((one) => wanted === undefined || one.class === wanted || callName(one) === wanted)
    if (shown.length === 0) throw unknownClass(wanted ?? '', [...new Set(visible.map((one) => one.class))])
    const unit = (one: Action) => (wanted === undefined ? one.class : callName(one))
    const asked = [...new Set(shown.map(unit))]
    const fits = fitting(context, shown, asked, unit)
    const described = shown.filter((one) => fits.includes(unit(one)))
    return {
      document: documentOf(context, described),
      complete: fits.length === asked.length,
      left_out: asked.filter((one) => !fits.includes(one)),
      url: origin + openApiPath,
    }
  },
})

export const documentOf = ({ origin, site }: Pick<Context, 'origin' | 'site'>, actions: readonly Action[]) =>
  openApiOf(actions, { title: site.settings.values.site_title, version: (version ??= programVersion()), origin })

let version: string | undefined

/** Returns the classes, or single actions, that fit into an answer together. One that is too long on its own is left out. */
function fitting(
  context: Context,
  actions: readonly Action[],
  units: readonly string[],
  unit: (one: Action) => string,
): readonly string[] {
  const sizeOf = (some: readonly Action[]) => Buffer.byteLength(jsonText(documentOf(context, some)))
  const empty = sizeOf([])
  let left = maxBytes - empty
  return units.filter((name) => {
    const size = sizeOf(actions.filter((one) => unit(one) === name)) - empty
    if (size > left) return false
    left -= size
    return true
  })
}

function unknownClass(name: string, classes: readonly string[]): Failure {
  const meant = classesNamed(name, classes)
  return new Failure('unknown_action', `Unknown class: ${name.slice(0, 200).toWellFormed()}`, {
    ...(meant.length > 0 ? nearDetail(meant.slice(0, 3)) : nearestIn(name, classes)),
    hint: 'SVC_API.list-actions lists what you may call.',
  })
}
