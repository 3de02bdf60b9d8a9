// The tools of the editor, one row each: for the row of buttons above the text, and for the menu that `/` opens in an empty line.

import { redo, undo } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import type { SectionStep } from './section-steps.ts'
import type { AskedValue } from './ask-dialog.ts'
import { insertFootnote, prefix } from './blocks.ts'
import { insertBlock, insertText } from './insert-text.ts'
import type { PlacedPicture } from './live/written-picture.ts'
import { bold, italic, wrap } from './markdown-keys.ts'

/** Opens the dialogs and choosers that tools need. */
export interface Helpers {
  /** @param asGallery puts the pictures into a gallery */
  pickPictures(asGallery?: boolean): void
  changePicture(picture: PlacedPicture): void
  /** @param kind of the section; undefined shows the kinds */
  chooseSection(kind?: string): void
  /** @param at a place in the line that opens the section */
  changeSection(at: number, step: SectionStep): void
  askForLink(): void
  find(): void
  ask(title: string, fields: readonly AskedValue[], done: (values: readonly string[]) => void): void
}

export interface EditorTool {
  /** A message of `scripts.json`. */
  readonly name: string
  /** The face of the button: a letter, or the name of an icon. A tool without one is only in the menu. */
  readonly sign?: string
  readonly keys?: string
  /** True for tools that the menu has: those that make a block. A `found` one is in the menu only for those who type its name. */
  readonly block?: true | 'found'
  /** A message with other words for it, by which the menu finds it. */
  readonly also?: string
  run(view: EditorView, helpers: Helpers): unknown
}

const heading = (level: number): Pick<EditorTool, 'run' | 'block'> => ({
  run: prefix(() => `${'#'.repeat(level)} `),
  block: true,
})

/** The kinds of sections for the menu (`content/sections/kinds.ts`). Galleries and videos have tools of their own. */
const sectionKinds = [
  'hero',
  'text',
  'cards',
  'columns',
  'call',
  'quote',
  'faq',
  'steps',
  'prices',
  'hours',
  'map',
  'people',
  'logos',
  'latest',
  'form',
  'button',
]

export const tools: readonly EditorTool[] = [
  { name: 'editor_undo', sign: 'undo', keys: 'Control+Z', run: undo },
  { name: 'editor_redo', sign: 'redo', keys: 'Control+Y', run: redo },
  { name: 'editor_heading', sign: 'H', also: 'editor_also_heading', ...heading(2) },
  { name: 'editor_heading_3', sign: 'H3', ...heading(3) },
  { name: 'editor_heading_4', sign: 'H4', ...heading(4) },
  { name: 'editor_bold', sign: 'B', keys: 'Control+B', run: bold },
  { name: 'editor_italic', sign: 'I', keys: 'Control+I', run: italic },
  { name: 'editor_strike', sign: 'S', run: wrap('~~') },
  { name: 'editor_link', sign: 'link', keys: 'Control+K', run: (_view, { askForLink }) => askForLink() },
  {
    name: 'editor_image',
    sign: 'image',
    also: 'editor_also_image',
    block: true,
    run: (_view, { pickPictures }) => pickPictures(),
  },
  { name: 'editor_gallery', sign: 'gallery', block: true, run: (_view, { pickPictures }) => pickPictures(true) },
  {
    name: 'editor_section',
    sign: 'section',
    also: 'editor_also_section',
    block: true,
    run: (_view, { chooseSection }) => chooseSection(),
  },
  { name: 'editor_list', sign: 'list', also: 'editor_also_list', block: true, run: prefix(() => '- ') },
  {
    name: 'editor_numbered',
    sign: 'numbered',
    also: 'editor_also_numbered',
    block: true,
    run: prefix((place) => `${place + 1}. `),
  },
  { name: 'editor_quotation', sign: '”', also: 'editor_also_quotation', block: true, run: prefix(() => '> ') },
  { name: 'editor_table', sign: 'table', also: 'editor_also_table', block: true, run: askForTable },
  { name: 'editor_code', sign: 'code', also: 'editor_also_code', block: true, run: askForCode },
  { name: 'editor_video', sign: 'video', also: 'editor_also_video', block: true, run: askForVideo },
  { name: 'editor_footnote', sign: 'note', block: true, run: insertFootnote },
  { name: 'editor_rule', also: 'editor_also_rule', block: true, run: (view) => insertBlock(view, '---') },
  ...sectionKinds.map((kind): EditorTool => ({
    name: `sections.${kind}`,
    block: 'found',
    run: (_view, { chooseSection }) => chooseSection(kind),
  })),
  { name: 'editor_find', sign: 'find', keys: 'Control+F', run: (_view, { find }) => find() },
]

function askForTable(view: EditorView, { ask }: Helpers): void {
  ask(
    'editor_table',
    [
      { label: 'editor_columns', value: '3' },
      { label: 'editor_rows', value: '2' },
    ],
    ([columns, rows]) => {
      const text = newTable(bounded(rows, 100), bounded(columns, 20))
      insertBlock(view, text, { from: 2, to: 2 })
    },
  )
}

const bounded = (text: string | undefined, most: number): number => Math.min(most, Math.max(1, Math.round(Number(text)) || 1))

function newTable(rows: number, columns: number): string {
  const line = (cell: string): string => `|${` ${cell} |`.repeat(columns)}`
  return [line(' '), line('---'), ...Array.from({ length: rows }, () => line(' '))].join('\n')
}

function askForCode(view: EditorView, { ask }: Helpers): void {
  const { from, to } = view.state.selection.main
  const selected = view.state.sliceDoc(from, to)
  ask('editor_code', [{ label: 'editor_code_language', value: '' }], ([language = '']) => {
    const opening = `\`\`\`${language.trim().replace(/[`\s]/g, '')}\n`
    if (selected === '') insertBlock(view, `${opening}\n\`\`\``, { from: opening.length, to: opening.length })
    else insertText(view, `${opening}${selected}\n\`\`\``)
  })
}

function askForVideo(view: EditorView, { ask }: Helpers): void {
  ask('editor_video', [{ label: 'editor_video_address', value: '' }], ([address = '']) => {
    const given = address.trim()
    if (given !== '') insertBlock(view, /^https?:\/\//i.test(given) ? given : `https://${given}`)
  })
}
