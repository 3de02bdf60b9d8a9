// How PostgreSQL reads the lists, by each of their sorts. A deep run looks at each of their filters, too.

import process from 'node:process'

process.env['TEST_DATABASE'] = 'postgres'
process.env['TEST_PLANS'] = 'sorts'
await import('./list-plans.test.ts')
