// The service itself: what `npm start` and systemd run.

import { start } from './start.ts'

// The reader of the log may be gone, or its disk full. The site is served all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await start(process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
