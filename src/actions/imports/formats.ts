import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { importFormats } from '../../imports/formats.ts'
import { action } from '../call/action.ts'

export const formats = action('SVC_Import.formats', {
  title: 'List what can be imported',
  summary: 'Lists the formats that can be imported. They are recognised, not asked.',
  tier: 'admin',
  effect: 'read',
  input: closed({}),
  output: Type.Object({ formats: Type.Array(Type.Object({ name: Type.String(), summary: Type.String() })) }),
  examples: [{ title: 'All formats', input: {} }],
  run: () => ({ formats: importFormats.map(({ name, summary }) => ({ name, summary })) }),
})
