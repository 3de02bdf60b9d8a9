// `npm start`: installs missing packages, builds if the build is stale, and serves. It does all of this in one process, so that
// signals reach the service.

import { makeReady } from './ready.mjs'

await makeReady(true)
process.setSourceMapsEnabled(true)
// Ctrl-C arrives twice, from the terminal and from npm. The service stops at the first signal; the second must not interrupt the
// stop.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
await import('../dist/main.js')
