// What every client does, a line of JSON for each step. The Go tests know what
// the lines are to say; script in gosdk_test.go is the same in Go.
import { isDeepStrictEqual } from 'node:util'

const say = (step, rest) => console.log(JSON.stringify({ step, ...rest }))

// script uses a connected client. opened resolves when the client's stream for
// notices is open, changed when a notice came.
export async function script(client, { protocol, opened, changed }) {
  say('connect', { protocol, server: client.getServerVersion().name })
  await list(client)

  const found = await call(client, 'bookshop_search_books', { query: 'Middlemarch' })
  const book = found.content.books[0]
  say('read', { value: book.title, agree: found.agree })
  const written = await call(client, 'set_book_price', { id: book.id, price: 99.5 })
  say('write', { agree: written.agree })
  const read = await call(client, 'book_price', { book_id: book.id })
  say('read', { value: read.content.value, agree: read.agree })

  // A no, and then a yes: only that is done.
  for (const text of ['no', 'yes']) {
    const result = await client.callTool({ name: 'leave_note', arguments: { text } })
    say('ask', { value: asked.shift(), isError: result.isError, agree: result.structuredContent?.text === text })
  }

  const wrong = await client.callTool({ name: 'set_book_price', arguments: { id: book.id, price: 'much' } })
  console.error(wrong.content[0].text)
  say('wrong', { isError: wrong.isError, value: /\bprice\b/.exec(wrong.content[0].text)?.[0] })
  try {
    await client.callTool({ name: 'burn_book', arguments: {} })
    say('unknown')
  } catch (error) {
    console.error(error.message)
    say('unknown', { code: error.code })
  }

  await opened
  say('listening')
  await changed
  say('changed')
  await list(client)
}

async function list(client) {
  const { tools } = await client.listTools()
  say('list', { tools: tools.map((t) => t.name), agree: tools.every((t) => t.inputSchema.type === 'object') })
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args })
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`)
  const content = result.structuredContent
  return { content, agree: isDeepStrictEqual(JSON.parse(result.content[0].text), content) }
}

const asked = []

// answer is what a person says to a question: no to the first, yes to the second.
export function answer({ params }) {
  asked.push(params.message.split('\n')[0])
  return answers.shift()
}

const answers = [{ action: 'decline' }, { action: 'accept', content: { who: 'Ana' } }]

// opener wraps fetch and resolves opened when the stream for notices is there:
// an edit made before that is told to nobody.
export function opener() {
  const { promise: opened, resolve } = Promise.withResolvers()
  return {
    opened,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if ((init?.method ?? 'GET') === 'GET' && response.ok) resolve()
      return response
    },
  }
}
