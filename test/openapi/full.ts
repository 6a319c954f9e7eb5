// The client of the whole document, on the test site. What it got it prints.
import * as site from './client';
import { client } from './client/client.gen';
import { connect, must, php, type Post } from './site';

type Kinds = NonNullable<site.BookshopV1GetTypedData['query']>;
type Books = { books: { title: string }[]; echo: { input: unknown } };

// received is what PHP got of a query, without how the route came to it.
function received(result: Parameters<typeof must>[0]): unknown {
  const { rest_route, ...query } = must<{ query_params: Record<string, unknown> }>(result).query_params;
  return query;
}

async function main() {
  connect(client);
  const got: Record<string, unknown> = {};

  const listed = await site.listPosts({ query: { 'include[]': [4, 5, 7], order: 'asc', orderby: 'id', ignore_sticky: 1 } });
  got.list = must<Post[]>(listed).map((post) => post.id);
  got.total = listed.response?.headers.get('x-wp-total');
  const oldest = { orderby: 'id', order: 'asc' } as const;
  got.inCategory = must<Post[]>(await site.listPosts({ query: { ...oldest, 'categories[]': [3] } })).map((post) => post.id);
  got.byTerms = must<Post[]>(
    await site.listPosts({ query: { ...oldest, categories: { terms: [3], operator: 'AND' } }, querySerializer: php }),
  ).map((post) => post.id);
  got.get = must<Post>(await site.getPost({ path: { id: 4 }, query: { context: 'edit' } })).title.raw;

  const draft = must<Post>(await site.createPosts({ body: { title: { raw: 'From a generated client' }, status: 'draft' } }));
  got.draft = draft.status;
  const updated = must<Post>(await site.updatePost({ path: { id: draft.id }, body: { title: { raw: 'Updated' }, sticky: false } }));
  got.updated = [updated.id === draft.id, updated.title.raw, updated.status];
  got.trashed = must<Post>(await site.deletePost({ path: { id: draft.id }, query: { force: 0 } })).status;
  got.deleted = must<{ deleted: boolean }>(await site.deletePost({ path: { id: draft.id }, query: { force: 1 } })).deleted;
  const gone = await site.getPost({ path: { id: draft.id } });
  got.gone = [gone.error?.code, gone.response?.status];

  // A value that spans a slash, and a path that another has but for a name.
  got.slash = must<{ rendered: string }>(
    await site.getBlockRendererByName({ path: { name: 'core/archives' }, query: { context: 'edit' } }),
  ).rendered.includes('wp-block-archives');
  got.icon = must<{ name: string }>(await site.getIconByName({ path: { name: 'core/audio' } })).name;

  // An ability's input in a query, flat and deeper; nothing; the empty object; a number.
  const flat = must<Books>(await site.bookshopSearchBooks({ query: { input: { query: 'o', in_stock: 0, limit: 2 } } }));
  got.search = [flat.books.map((book) => book.title), flat.echo.input];
  const tagged = { input: { query: '', tags: ['poetry', 'travel'] } };
  got.deep = must<Books>(await site.bookshopSearchBooks({ query: tagged, querySerializer: php })).echo.input;
  const refused = await site.bookshopSearchBooks({ query: tagged });
  got.deepRefused = [String(refused.error).includes('nested'), refused.response === undefined];
  got.hours = must(await site.bookshopShopHours());
  got.genres = must<string[]>(await site.bookshopListGenres({ query: { input: '' } })).length;
  got.count = must(await site.bookshopCountBooks({ query: { input: { in_stock: 0 } } }));
  const priced = await site.bookshopBookPrice({ query: { input: 999 } });
  got.noSuchBook = [priced.error?.code, priced.response?.status];

  // And in a body, where a boolean is a boolean.
  got.echo = must<{ input: unknown }>(await site.bookshopEcho({ body: { input: { flag: false, deep: { list: [1, [true]] } } } })).input;

  // What PHP got of each kind of argument, coerced by core and as it came.
  const kinds = { b: 0, 'list[]': [3, 1], 'words[]': ['a,b', 'c d', 'é&=?#+%20'], obj: { name: 'n', count: 2 }, s: 'false', n: 7, x: 9.5 } satisfies Kinds;
  got.typed = received(await site.bookshopV1GetTyped({ query: kinds }));
  got.untyped = received(await site.bookshopV1GetEcho({ query: kinds }));
  got.typedDelete = received(await site.bookshopV1DeleteTyped({ query: { b: 0, obj: { inner: { flag: 0 } } }, querySerializer: php }));

  // A file as the body, its name in a header, the rest in the query.
  const file = must<{ id: number; alt_text: string; mime_type: string; title: { raw: string } }>(
    await site.createMedia({
      body: new Blob(['Some notes.']),
      headers: { 'Content-Disposition': 'attachment; filename="client notes.txt"' },
      query: { alt_text: 'Notes', title: { raw: 'Notes of a client' } },
    }),
  );
  got.upload = [file.title.raw, file.alt_text, file.mime_type];
  must(await site.deleteMediaById({ path: { id: file.id }, query: { force: 1 } }));
  console.log(JSON.stringify(got));
}

void main();
