// SVC_API.openapi: the OpenAPI document of the caller's actions. It is for tools, which fetch it whole from `/api/openapi.json`; an answer has as many
// classes as fit.

import { Type } from 'typebox'
import { Failure } from '../../failure.ts'
import { jsonText } from '../../json.ts'
import { programVersion } from '../../program.ts'
import { type Action, action, type Context } from '../action.ts'
import { maxAnswerBytes } from '../answer.ts'
import { nearest } from '../nearest.ts'
import { openApiOf } from '../openapi.ts'

/** Where the whole document is, below the base path. */
export const openApiPath = '/api/openapi.json'

/** The limit of an answer, less some room for what surrounds the document. */
const maxBytes = maxAnswerBytes - 4096

export const openApi = action({
  class: 'SVC_API',
  name: 'openapi',
  summary: 'Describes the actions that you may call as an OpenAPI 3.1 document, for tools.',
  tier: 'any',
  effect: 'read',
  failures: ['unknown_action'],
  touches: 'nothing',
  input: Type.Object(
    { class: Type.Optional(Type.String({ description: 'Only actions of this class, such as `SVC_Content`.', maxLength: 200 })) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    document: Type.Unknown({ description: 'OpenAPI 3.1.' }),
    complete: Type.Boolean({ description: 'Whether the document has all actions that were asked for.' }),
    left_out: Type.Array(Type.String(), { description: 'Classes that did not fit into the answer; ask for each as `class`.' }),
    url: Type.String({ description: 'Where a GET with the same token answers the whole document.' }),
  }),
  examples: [
    { title: 'All that fits', input: {} },
    { title: 'One class', input: { class: 'SVC_Content' } },
  ],
  run(context, { class: wanted }) {
    const { caller, origin, site } = context
    const visible = site.registry.visibleTo(caller)
    const classes = [...new Set(visible.map((one) => one.class))]
    if (wanted !== undefined && !classes.includes(wanted)) throw unknownClass(wanted, classes)
    const asked = wanted === undefined ? classes : [wanted]
    const shown = visible.filter((one) => asked.includes(one.class))
    const fits = fitting(context, shown, asked)
    return {
      document: documentOf(
        context,
        shown.filter((one) => fits.includes(one.class)),
      ),
      complete: fits.length === asked.length,
      left_out: asked.filter((one) => !fits.includes(one)),
      url: origin + openApiPath,
    }
  },
})

/** The document for these actions, on this site. */
export const documentOf = ({ origin, site }: Pick<Context, 'origin' | 'site'>, actions: readonly Action[]) =>
  openApiOf(actions, { title: site.settings.values.site_title, version: (version ??= programVersion()), origin })

let version: string | undefined

/** The classes that fit into an answer together, in their order. A class that is too long alone is left out. */
function fitting(context: Context, actions: readonly Action[], classes: readonly string[]): readonly string[] {
  const sizeOf = (some: readonly Action[]) => Buffer.byteLength(jsonText(documentOf(context, some)))
  const empty = sizeOf([])
  let left = maxBytes - empty
  return classes.filter((name) => {
    const size = sizeOf(actions.filter((one) => one.class === name)) - empty
    if (size > left) return false
    left -= size
    return true
  })
}

function unknownClass(name: string, classes: readonly string[]): Failure {
  const near = nearest(name, classes)
  return new Failure('unknown_action', `Unknown class: ${name.slice(0, 200).toWellFormed()}`, {
    ...(near.length > 0 ? { nearest: near } : {}),
    hint: 'SVC_API.list-actions lists what you may call.',
  })
}
