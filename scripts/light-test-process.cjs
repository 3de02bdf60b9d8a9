// Loaded first into the process of each test file. Node's runner listens for every asynchronous resource, including promises, to
// find the test of a stray error. That takes a sixth of a run's processor time. Here the runner hears only of its own tests,
// which it needs to place a test into its suite. A stray error counts against the running test: a file runs one test at a time.

const hooks = require('node:async_hooks')
const { isMainThread } = require('node:worker_threads')

// Threads also load this file, but don't run tests.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) lighten()

function lighten() {
  const { AsyncResource, executionAsyncId } = hooks
  let onInit = () => undefined
  let running
  let isStray = false

  hooks.AsyncResource = class extends AsyncResource {
    constructor(type, options) {
      super(type, options)
      if (type === 'Test') onInit(this.asyncId(), type, this.triggerAsyncId(), this)
    }

    runInAsyncScope(...args) {
      if (this.parent !== undefined) running = this
      return super.runInAsyncScope(...args)
    }
  }
  hooks.createHook = ({ init }) => {
    if (init) onInit = init
    const hook = { enable: () => hook, disable: () => hook }
    return hook
  }
  // The runner's listener for stray errors runs after the one below, and asks for this id first.
  hooks.executionAsyncId = () => {
    if (!isStray) return executionAsyncId()
    isStray = false
    while (running?.finished && running.parent) running = running.parent
    return running?.asyncId() ?? 0
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => (isStray = true))
}
