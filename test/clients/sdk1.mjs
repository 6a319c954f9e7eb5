// The TypeScript SDK 1.x: node sdk1.mjs URL, or node sdk1.mjs COMMAND [ARG…].
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { answer, opener, script } from './steps.mjs'

const [target, ...args] = process.argv.slice(2)
const http = target.startsWith('http:')
const { opened, fetch } = opener()
const transport = http ? new StreamableHTTPClientTransport(new URL(target), { fetch }) : new StdioClientTransport({ command: target, args })
const client = new Client({ name: 'sdk1', version: '1' }, { capabilities: { elicitation: {} } })
client.setRequestHandler(ElicitRequestSchema, answer)
const { promise: changed, resolve } = Promise.withResolvers()
client.setNotificationHandler(ToolListChangedNotificationSchema, resolve)

// This SDK tells the transport alone what was negotiated.
let protocol
const tell = transport.setProtocolVersion?.bind(transport)
transport.setProtocolVersion = (version) => {
  protocol = version
  tell?.(version)
}
await client.connect(transport)
await script(client, { protocol, opened: http ? opened : undefined, changed })
if (http) await transport.terminateSession()
await client.close()
