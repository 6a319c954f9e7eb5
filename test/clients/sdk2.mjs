// The TypeScript SDK 2.x: node sdk2.mjs MODE URL, or node sdk2.mjs MODE COMMAND
// [ARG…]. MODE is legacy, auto or the revision to insist on.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { answer, opener, script } from './steps.mjs'

const [mode, target, ...args] = process.argv.slice(2)
const http = target.startsWith('http:')
const { opened, fetch } = opener()
const transport = http ? new StreamableHTTPClientTransport(new URL(target), { fetch }) : new StdioClientTransport({ command: target, args })
const { promise: changed, resolve, reject } = Promise.withResolvers()
const client = new Client({ name: 'sdk2', version: '2' }, {
  capabilities: { elicitation: {} },
  versionNegotiation: { mode: /^\d/.test(mode) ? { pin: mode } : mode },
  listChanged: { tools: { autoRefresh: false, onChanged: (error) => (error ? reject(error) : resolve()) } },
})
client.setRequestHandler('elicitation/create', answer)
await client.connect(transport)
const legacy = client.getProtocolEra() === 'legacy' // in the modern era connect has opened the stream
await script(client, { protocol: client.getNegotiatedProtocolVersion(), opened: http && legacy ? opened : undefined, changed })
if (http && legacy) await transport.terminateSession()
await client.close()
