// The types of the parts of undici that http-client.ts loads one by one. The package declares only the types of the whole.

declare module 'undici/lib/core/util.js' {}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}

declare module 'undici/lib/api/api-request.js' {
  import type { Agent, Dispatcher } from 'undici'
  export default function request(this: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
}

declare module 'undici/lib/dispatcher/client.js' {}

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
