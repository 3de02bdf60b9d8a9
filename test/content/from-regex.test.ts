// Regular expressions of Ghost and of the WordPress plugin Redirection as rules, or the reason why they are none.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromRegex } from '../../src/content/redirects/from-regex.ts'

type Rules = readonly (readonly [source: string, target: string | null])[]

const translated: readonly (readonly [source: string, target: string | null, rules: Rules])[] = [
  ['/old', '/new', [['/old', '/new']]],
  ['^/old/?$', '/new/', [['/old', '/new']]],
  ['^\\/old\\/page\\.html(?:/)?$', '/new', [['/old/page.html', '/new']]],
  ['/^\\/Case-Insensitive\\/?$/i', '/new', [['/case-insensitive', '/new']]],
  ['^/index\\.php\\?page=about$', '/about', [['/index.php?page=about', '/about']]],
  ['^/gone/?$', null, [['/gone', null]]],
  [
    '^/blog/(.*)$',
    '/news/$1',
    [
      ['/blog/*', '/news/*'],
      ['/blog', '/news'],
    ],
  ],
  [
    '^/blog/(.*)/?$',
    'https://new.example/$1/',
    [
      ['/blog/*', 'https://new.example/*'],
      ['/blog', 'https://new.example'],
    ],
  ],
  [
    '/^\\/2019\\/05\\/(.*)/',
    '/$1',
    [
      ['/2019/05/*', '/*'],
      ['/2019/05', '/'],
    ],
  ],
  [
    '^/shop(/.*)?$',
    '/store$1',
    [
      ['/shop/*', '/store/*'],
      ['/shop', '/store'],
    ],
  ],
  [
    '^/shop/.*',
    '/store',
    [
      ['/shop/*', '/store'],
      ['/shop', '/store'],
    ],
  ],
  ['^/(.*)$', 'https://new.example/$1', [['/*', 'https://new.example/*']]],
]
for (const [source, target, rules] of translated)
  test(`${source} has a rule`, () =>
    assert.deepEqual(fromRegex(source, target), { rules: rules.map(([from, to]) => ({ source: from, target: to })) }))

const untranslated: readonly (readonly [source: string, target: string, why: RegExp])[] = [
  ['^/(\\d{4})/(\\d{2})/(.*)$', '/$3', /only a path/],
  ['^/(a|b)$', '/$1', /only a path/],
  ['^/old[^/]+$', '/new', /only a path/],
  ['^/\\d+$', '/new', /only a path/],
  ['^/old.*$', '/new', /after a slash/],
  ['^/old/(.*)$', '/new/$1.html', /at the end/],
  ['^/old/(.*)$', '/new-$1', /at the end/],
  ['^/old/?(.*)$', '/new$1', /at the end/],
  ['^/old/(.*)$', '/$2', /at the end/],
  ['^/old$', '/$1', /does not have/],
  ['^/admin/(.*)$', '/$1', /service itself/],
  ['^/old$', 'javascript:alert(1)', /"to"/],
  ['old', '/new', /only a path/],
  [`^/${'(a+)+'.repeat(300)}$`, '/x', /only a path/],
  [`^/${'a'.repeat(3000)}$`, '/x', /too long/],
]
for (const [source, target, why] of untranslated)
  test(`${source.slice(0, 60)} → ${target} has none, and the reason is told`, () => {
    const result = fromRegex(source, target)
    assert.ok('why' in result, JSON.stringify(result))
    assert.match(result.why, why)
  })
