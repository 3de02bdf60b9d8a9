// `npm start`: installs what is missing, builds what is stale, and serves, in this one process, so that signals reach the service.

import { makeReady } from './ready.mjs'

await makeReady(true)
process.setSourceMapsEnabled(true)
// Ctrl-C arrives twice, from the terminal and from npm. The service hears the first; the second must not cut its stop short.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
await import('../dist/main.js')
