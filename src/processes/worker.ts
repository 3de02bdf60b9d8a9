// A worker process of a primary process: its socket, its end, and its answers to checks.

import cluster from 'node:cluster'

/** The argument that names a socket of the primary process to listen on. */
export const socketArgument = '--socket-fd='

/** The messages by which a primary process checks that its workers are alive. */
export const areYouAlive = 'are you alive?'
export const alive = 'alive'

export interface Worker {
  /** Descriptor of the socket that systemd gave to the primary process; undefined if there is none. */
  readonly socketFd: number | undefined
  /** Resolves when the primary process has ended. */
  readonly left: Promise<void>
  /** Answers the checks of the primary process. @param look fails if the service can't do its work */
  answer(look: () => Promise<unknown>): void
  /** Closes the connection to the primary process, which keeps this process alive. */
  leave(): void
}

/** Returns this process as a worker; undefined if no primary process started it. */
export function findWorker(): Worker | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  // Without this, Node ends a worker and its open requests at once when the primary process ends.
  worker.exitedAfterDisconnect = true
  const fd = process.argv.find((word) => word.startsWith(socketArgument))?.slice(socketArgument.length)
  return {
    socketFd: fd === undefined ? undefined : Number(fd),
    left: new Promise((resolve) => process.once('disconnect', resolve)),
    answer(look) {
      process.on('message', (message) => {
        if (message !== areYouAlive) return
        look().then(
          () => process.connected && process.send?.(alive),
          () => undefined,
        )
      })
    },
    leave: () => void (process.connected && process.disconnect()),
  }
}
