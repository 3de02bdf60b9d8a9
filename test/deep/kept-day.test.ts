// Days of random changes, with a look at every page after each change.

import process from 'node:process'

process.env['TEST_PAGES'] = 'all'
await import('../site/kept-day.test.ts')
