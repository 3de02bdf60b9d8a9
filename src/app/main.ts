// The program of the service, which `npm start` and systemd run.

import { start } from './start.ts'

// The reader of the log may have ended, or its disk may be full. The service continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await start(process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
