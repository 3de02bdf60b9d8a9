// A pooler that lends a connection of the server to a client for each transaction, as PgBouncer does with `pool_mode = transaction`. Session locks,
// settings and LISTEN of a client stay behind on a connection that the next client gets.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type PostgresServer, postgresServer } from './postgres.ts'

/** A message of the protocol. @see https://www.postgresql.org/docs/current/protocol-message-formats.html */
interface Message {
  readonly type: string
  readonly bytes: Buffer
}

/** Cuts a stream into messages. */
function messages(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const length = 1 + rest.readUInt32BE(1)
      onMessage({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
    }
  }
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
const ready = message('Z', Buffer.from('I'))
const signedIn = Buffer.concat([message('R', Buffer.alloc(4)), message('K', Buffer.alloc(8, 1)), ready])

interface Lent {
  readonly socket: Socket
  client: Socket | undefined
  /** How often the server has still to say that it is ready. */
  owed: number
}

export interface Pooler extends AsyncDisposable {
  readonly port: number
}

/** A pooler with two connections for all clients, in turn. */
export async function openTransactionPooler(database: string, on?: PostgresServer): Promise<Pooler> {
  const server = on ?? (await postgresServer())
  const pool = await Promise.all([0, 1].map(() => openLent(server, database)))
  const waiting: { readonly client: Socket; readonly bytes: Buffer[] }[] = []
  const lend = (client: Socket): Lent | undefined => {
    const mine = pool.find((lent) => lent.client === client) ?? pool.find((lent) => lent.client === undefined)
    if (mine) mine.client = client
    return mine
  }
  const send = (lent: Lent, bytes: Buffer) => {
    if (bytes[0] === 0x51 || bytes[0] === 0x53) lent.owed += 1
    lent.socket.write(bytes)
  }
  const giveBack = (lent: Lent) => {
    lent.client = undefined
    // In turn, so that clients change places.
    pool.push(...pool.splice(pool.indexOf(lent), 1))
    const next = waiting.shift()
    if (!next) return
    lent.client = next.client
    for (const bytes of next.bytes) send(lent, bytes)
  }
  for (const lent of pool)
    lent.socket.on(
      'data',
      messages(({ type, bytes }) => {
        lent.client?.write(bytes)
        if (type !== 'Z') return
        lent.owed -= 1
        if (lent.owed === 0 && bytes[5] === 0x49) giveBack(lent)
      }),
    )
  const clients = new Set<Socket>()
  const listener: Server = createServer((client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.once('data', () => {
      client.write(signedIn)
      const take = messages(({ type, bytes }) => {
        const queued = waiting.find((one) => one.client === client)
        const lent = queued ? undefined : lend(client)
        if (type === 'X') client.end()
        else if (queued) queued.bytes.push(bytes)
        else if (lent) send(lent, bytes)
        else waiting.push({ client, bytes: [bytes] })
      })
      client.on('data', take)
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      for (const { socket } of pool) socket.destroy()
      for (const client of clients) client.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

async function openLent({ socket: folder, port }: PostgresServer, database: string): Promise<Lent> {
  const socket = connect(`${folder}/.s.PGSQL.${port}`)
  socket.on('error', () => undefined)
  const body = Buffer.from(`user\0site\0database\0${database}\0\0`)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.writeUInt32BE(196_608, 4)
  socket.write(Buffer.concat([head, body]))
  await new Promise<void>((resolve) => {
    const take = messages(({ type }) => {
      if (type !== 'Z') return
      socket.off('data', take)
      resolve()
    })
    socket.on('data', take)
  })
  return { socket, client: undefined, owed: 0 }
}
