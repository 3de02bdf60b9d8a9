// The service itself: what `npm start` and systemd run.

import { serve } from './serve.ts'

process.exitCode = await serve(process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
