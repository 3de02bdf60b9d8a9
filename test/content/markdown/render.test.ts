// The renderer's thread: what it answers, and what it does to texts that were made to be slow.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRenderer, type Rendered, type RendererOptions } from '../../../src/content/markdown/render.ts'
import { Failure } from '../../../src/base/failure.ts'
import { createLog } from '../../../src/base/log.ts'
import { isDeep } from '../../deep-run.ts'
import { until } from '../../until.ts'

const openRenderer = (options: Partial<RendererOptions> = {}) => {
  const lines: string[] = []
  const renderer = createRenderer({
    log: createLog('info', (line) => lines.push(line)),
    // A busy machine may need longer than the usual two seconds for a word.
    timeoutMs: 60_000,
    ...options,
  })
  return {
    lines,
    render: (text: string) => renderer.render(text),
    plain: (text: string) => renderer.plain(text),
    close: () => renderer.close(),
    [Symbol.asyncDispose]: () => renderer.close(),
  }
}

test('a text comes back as HTML, as words, and with what was removed', async () => {
  await using renderer = openRenderer()
  const text = '# Hi\n\nA *word* &amp; <b style="x">another</b>.'
  assert.equal(await renderer.plain(text), 'Hi\nA word & another.')
  assert.deepEqual(await renderer.render(text), {
    html: '<h1 id="h-hi"><a href="#h-hi">Hi</a></h1>\n<p>A <em>word</em> &amp; <b>another</b>.</p>\n',
    excerpt: 'A word & another.',
    removed: [{ name: 'style attribute', line: 3 }],
    notices: [],
  })
})

test('lone surrogates and NUL become U+FFFD', async () => {
  await using renderer = openRenderer()
  assert.equal(await renderer.plain('a\ud800b\0c'), 'a\ufffdb\ufffdc')
})

test('answers belong to their texts however many are asked at once', async () => {
  await using renderer = openRenderer()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => renderer.plain(`text ${n}`)))
  assert.deepEqual(
    answers,
    Array.from({ length: 50 }, (_, n) => `text ${n}`),
  )
})

const slow: readonly (readonly [string, string])[] = [
  ['* x 70,000 in an address', `https://a.example/${'*'.repeat(70_000)}a`],
  ['[ x 50,000', '['.repeat(50_000)],
  ['![ x 50,000', '!['.repeat(50_000)],
  ['[a]( x 30,000', '[a]('.repeat(30_000)],
  ['mailto: x 50,000', 'mailto:'.repeat(50_000)],
  ['mailto:a@ x 50,000', 'mailto:a@'.repeat(50_000)],
  ['http:// x 50,000', 'http://'.repeat(50_000)],
  ['a@a. x 50,000', 'a@a.'.repeat(50_000)],
  ['> x 10,000', '>'.repeat(10_000)],
  ['> > > on 2,000 lines', `${'> '.repeat(100)}a\n`.repeat(2_000)],
  ['a list 1,000 deep', Array.from({ length: 1_000 }, (_, n) => `${'  '.repeat(n)}- x`).join('\n')],
  ['* x x 50,000', '*a '.repeat(50_000)],
  ['**a _b x 30,000', '**a _b'.repeat(30_000)],
  ['` of growing length', Array.from({ length: 1_500 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['<a x 50,000', '<a '.repeat(50_000)],
  ['<div> x 50,000', '<div>'.repeat(50_000)],
  ['<svg> x 50,000', '<svg>'.repeat(50_000)],
  ['<!-- x 50,000', 'a <!-- '.repeat(50_000)],
  ['<![CDATA[ x 50,000', 'a <![CDATA['.repeat(50_000)],
  ['<? x 50,000', 'a <? '.repeat(50_000)],
  ['&#x x 50,000', '&#x'.repeat(50_000)],
  ['a table of 5,000 columns', `${'|a'.repeat(5_000)}\n${'|-'.repeat(5_000)}\n${'|b\n'.repeat(2_000)}`],
  ['the same heading 20,000 times', '# a\n'.repeat(20_000)],
  ['references to 20,000 definitions', Array.from({ length: 20_000 }, (_, n) => `[a${n}]: /x`).join('\n')],
  ['an attribute 30,000 times', `<p ${'title=a '.repeat(30_000)}>`],
  ['a srcset of 30,000', `<img srcset="${'/a 1x,'.repeat(30_000)}">`],
]

/** Half of it in a usual run. */
const shared = openRenderer({ timeoutMs: isDeep ? 1_000 : 500 })
after(() => shared.close())

/** A deep run tries all of them, and a usual run every fifth one. */
for (const [what, source] of isDeep ? slow : slow.filter((_, place) => place % 5 === 0)) {
  test(`attack 125: ${what} takes under a second or is refused, and the next text is served`, async (t) => {
    await served('warm')
    const began = performance.now()
    const [answer] = await Promise.all([outcomeOf(shared.render(source)), served('next')])
    t.diagnostic(`${Math.round(performance.now() - began)} ms, ${answer}`)
    assert.ok(answer === 'rendered' || answer === 'unprocessable', answer)
  })
}

/** On a busy machine, the thread may be given less than half a second for a word, too. */
const served = (word: string) =>
  until(`"${word}" is rendered`, () =>
    shared.plain(word).then(
      (text) => text === word,
      () => false,
    ),
  )

async function outcomeOf(rendering: Promise<Rendered>): Promise<string> {
  try {
    await rendering
    return 'rendered'
  } catch (error) {
    return error instanceof Failure ? error.code : String(error)
  }
}

test('attack 125: a text over its time is refused in a sentence, logged, and the ones behind it are served', async () => {
  // Long for a word, also on a machine that is busy with something else; short for this text, which is to fail by that, not by its memory.
  await using renderer = openRenderer({ timeoutMs: 2_000, maxOldSpaceMb: 2_000 })
  const [answer, ...others] = await Promise.all([
    outcomeOf(renderer.render('*a **b '.repeat(1_500_000))),
    ...Array.from({ length: 5 }, (_, n) => renderer.plain(`other ${n}`)),
  ])
  assert.equal(answer, 'unprocessable')
  assert.deepEqual(others, ['other 0', 'other 1', 'other 2', 'other 3', 'other 4'])
  assert.match(renderer.lines.join('\n'), /took too long/)
})

test('a text that fills the memory of the thread is refused, and the next is served', async () => {
  await using renderer = openRenderer({ timeoutMs: 20_000, maxOldSpaceMb: 24 })
  assert.equal(await outcomeOf(renderer.render('*a* [b](/c) '.repeat(400_000))), 'unprocessable')
  assert.equal(await renderer.plain('next'), 'next')
})

test('an idle thread ends, and the next text starts another', async () => {
  await using renderer = openRenderer({ idleMs: 20 })
  await renderer.render('a')
  await new Promise((resolve) => setTimeout(resolve, 120))
  assert.equal(await renderer.plain('b'), 'b')
})

test('more texts than may wait are told to come back', async () => {
  await using renderer = openRenderer({ maxWaiting: 2 })
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => outcomeOf(renderer.render(text))))
  assert.deepEqual(outcomes, ['rendered', 'rendered', 'rendered', 'unavailable'])
})

test('closing fails what waits and what comes later, and leaves no thread', async () => {
  const renderer = openRenderer()
  const waiting = outcomeOf(renderer.render('a'))
  await renderer.close()
  assert.equal(await waiting, 'unavailable')
  assert.equal(await outcomeOf(renderer.render('b')), 'unavailable')
})

test('a worker that is not there fails each text and nothing else', async () => {
  await using renderer = openRenderer({ workerUrl: new URL('file:///nowhere/render-worker.js') })
  assert.deepEqual(await Promise.all([outcomeOf(renderer.render('a')), outcomeOf(renderer.render('b'))]), ['failed', 'failed'])
})
