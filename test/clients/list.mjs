// What the TypeScript SDK 1.x makes of a tools/list: node list.mjs URL. It holds
// the list against its own types and compiles every output schema with Ajv.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]))
const client = new Client({ name: 'list', version: '1' })
await client.connect(transport)
const names = []
let cursor
do {
  const page = await client.listTools({ cursor })
  names.push(...page.tools.map((t) => t.name))
  cursor = page.nextCursor
} while (cursor)
console.log(JSON.stringify({ step: 'list', tools: names }))
await transport.terminateSession()
await client.close()
