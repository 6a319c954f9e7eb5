// How many tokens texts have: node count.mjs <texts.json. Standard input is a JSON
// list of texts, standard output an object: for each tokenizer the counts, in the
// texts' order. The vocabularies are in the packages; nothing is fetched.
import { readFileSync } from 'node:fs'
import { getTokenizer } from '@anthropic-ai/tokenizer'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'

const texts = JSON.parse(readFileSync(0, 'utf8'))
const claude = getTokenizer()
console.log(JSON.stringify({
  o200k_base: texts.map((text) => o200k(text)),
  cl100k_base: texts.map((text) => cl100k(text)),
  // Claude's own count of a text takes it in this form of Unicode.
  claude: texts.map((text) => claude.encode(text.normalize('NFKC'), 'all').length)
}))
claude.free()
