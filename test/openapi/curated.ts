// The client of the curated document, on the test site. What it got it prints.
import * as site from './client';
import { client } from './client/client.gen';
import { connect, must, type Post } from './site';

async function main() {
  connect(client);
  const got: Record<string, unknown> = { operations: Object.keys(site).sort() };

  got.find = must<Post[]>(await site.findPosts({ query: { context: 'view', search: 'Middlemarch' } })).map((post) => post.id);
  got.read = must<Post>(await site.readPost({ path: { id: 4 }, query: { context: 'view' } })).title.rendered;
  const draft = must<Post>(await site.draftPost({ body: { title: { raw: 'From a curated client' }, status: 'draft' } }));
  got.draft = draft.status;
  const drafts = must<Post[]>(await site.drafts({ query: { context: 'edit', 'status[]': ['draft'], per_page: 2, search: 'curated' } }));
  got.drafts = drafts.map((post) => [post.id === draft.id, post.title.raw]);
  got.trashed = must<Post>(await site.trashPost({ path: { id: draft.id }, query: { force: 0 } })).status;
  got.inStock = must<{ books: { title: string }[] }>(await site.inStock({ query: { input: { query: 'book', in_stock: 1 } } })).books.map((book) => book.title);

  // What a tool cannot send does not compile.
  // @ts-expect-error a fixed value is the only one
  void (() => site.draftPost({ body: { title: { raw: 'T' }, status: 'publish' } }));
  // @ts-expect-error and has to be sent
  void (() => site.draftPost({ body: { title: { raw: 'T' } } }));
  // @ts-expect-error what is hidden is not there
  void (() => site.draftPost({ body: { title: { raw: 'T' }, status: 'draft', sticky: true } }));
  // @ts-expect-error not even in a query
  void (() => site.findPosts({ query: { context: 'view', status: ['draft'] } }));
  console.log(JSON.stringify(got));
}

void main();
