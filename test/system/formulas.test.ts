// Formulas on a site: off at first; on, a write tells of mistakes, the page has MathML, and feeds and texts have the source.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite } from '../site.ts'

test('the setting turns formulas on for pages that were kept, and off again', async () => {
  await using site = await openSite()
  const body = 'Costs $5 and $10. The area is $\\pi r^2$.'
  const first = await site.call('SVC_Content.create', { type: 'post', title: 'Circles', body, status: 'published' })
  assert.deepEqual(first.warnings, [])
  const page = async () => (await site.send('/circles', { token: null })).text
  assert.doesNotMatch(await page(), /<math/)
  await site.call('SVC_Settings.update', { set: { formulas: true } })
  const shown = await page()
  assert.match(shown, /Costs \$5 and \$10\..*<math><semantics>.*<mi>π<\/mi>/s)
  assert.match((await site.send('/feed.xml', { token: null })).text, /The area is \$\\pi r\^2\$/)
  assert.match((await site.call('SVC_Content.get', { id: '/circles', format: 'text' })).item.text, /\$\\pi r\^2\$/)
  const { warnings } = await site.call('SVC_Content.update', { id: '/circles', body: 'Broken: $\\frac{a}$.' })
  assert.equal(warnings[0]?.code, 'not_understood')
  assert.match(warnings[0]?.message, /\\frac/)
  assert.match(await page(), /Broken: \$\\frac\{a\}\$\./)
  await site.call('SVC_Settings.update', { set: { formulas: false } })
  await site.call('SVC_Content.update', { id: '/circles', body })
  assert.doesNotMatch(await page(), /<math/)
})
