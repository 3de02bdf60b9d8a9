// The look of the live view.

import { EditorView } from '@codemirror/view'

const sizes: Readonly<Record<number, string>> = { 1: '1.7em', 2: '1.5em', 3: '1.25em', 4: '1.1em', 5: '1em', 6: '0.9em' }

export const liveTheme = EditorView.theme({
  '&.cm-editor .cm-scroller': { fontFamily: 'inherit', lineHeight: '1.65' },
  '.cm-content': { maxInlineSize: '46rem' },
  '.live-heading': { fontWeight: '700', lineHeight: '1.3', paddingBlockStart: '0.5em' },
  ...Object.fromEntries(Object.entries(sizes).map(([level, fontSize]) => [`.live-h${level}`, { fontSize }])),
  '.live-quiet': { color: 'var(--quiet)' },
  '.live-link': { color: 'var(--link)', textDecoration: 'underline' },
  '.live-code, .live-html': {
    fontFamily: 'var(--mono)',
    fontSize: '0.9em',
    backgroundColor: 'var(--raised)',
    borderRadius: '4px',
  },
  '.live-code-block, .live-source': { fontFamily: 'var(--mono)', fontSize: '0.9em', backgroundColor: 'var(--raised)' },
  '.cm-line.live-quote': { borderInlineStart: '3px solid var(--edge)', paddingInlineStart: '0.9rem', color: 'var(--quiet)' },
  '.live-bullet': { display: 'inline-block', inlineSize: '0.6em' },
  '.live-rule': {
    display: 'inline-block',
    inlineSize: '100%',
    borderBlockStart: '1px solid var(--edge)',
    verticalAlign: 'middle',
  },
  '.live-task': { inlineSize: '1.05em', blockSize: '1.05em', margin: '0 0.3em 0 0', verticalAlign: '-0.15em' },
  '.live-embed': {
    display: 'inline-block',
    padding: '0.6rem 0.9rem',
    border: '1px solid var(--edge)',
    borderRadius: '8px',
    backgroundColor: 'var(--raised)',
  },
  '.live-figure': { display: 'inline-block', inlineSize: '100%', paddingBlock: '0.3rem' },
  '.live-figure img': { display: 'block', maxInlineSize: '100%', maxBlockSize: '24rem', borderRadius: '6px' },
  '.live-picture img': { maxBlockSize: '3rem', verticalAlign: 'middle' },
  '.live-caption': { display: 'block', color: 'var(--quiet)', fontSize: '0.9em' },
  '.live-elsewhere': {
    display: 'inline-block',
    padding: '0.4rem 0.7rem',
    border: '1px dashed var(--edge)',
    borderRadius: '6px',
    color: 'var(--quiet)',
  },
  '.live-table-box': { padding: '0.3rem 0.75rem', overflowX: 'auto' },
  '.live-table': { borderCollapse: 'collapse', inlineSize: 'auto', cursor: 'text' },
  '.live-table th, .live-table td': {
    padding: '0.3rem 0.7rem',
    border: '1px solid var(--edge)',
    textAlign: 'start',
    minInlineSize: '3rem',
    blockSize: '2rem',
  },
  '.live-table .live-center': { textAlign: 'center' },
  '.live-table .live-end': { textAlign: 'end' },
  '.cm-line.live-section': {
    borderBlockStart: '2px solid var(--link)',
    backgroundColor: 'var(--raised)',
    fontSize: '0.9em',
  },
  '.cm-line.live-section-end': { borderBlockEnd: '2px solid var(--link)', color: 'var(--quiet)', fontSize: '0.9em' },
  '.live-kind': { fontWeight: '700' },
  '.live-section-bar': { display: 'inline-flex', flexWrap: 'wrap', gap: '0.4rem', alignItems: 'center', inlineSize: '100%' },
  '.live-section-bar strong': { flex: '1 1 6rem' },
})
