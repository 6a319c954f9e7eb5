// What a program adds to a client made from an OpenAPI document.
import type { Client } from './client/client';

declare const process: { env: Record<string, string | undefined> };

// connect makes a client one of the test site's administrator.
export function connect(client: Client): void {
  client.setConfig({
    auth: `${process.env.SITE_USER}:${process.env.SITE_PASSWORD}`,
    fetch: async (request) => fetch(new Request(mended((request as Request).url), request as Request)),
  });
}

// mended writes a URL as the document asks for: a slash in a path as it is
// (x-wp-slash), and with plain permalinks a query after & (x-wp-plain-permalinks).
function mended(url: string): string {
  const [path, ...query] = url.split('?');
  return [path.replaceAll('%2F', '/'), query.join('&')].filter(Boolean).join('?');
}

// php writes a query as PHP reads it, however deep it nests (x-wp-query).
export function php(query: Record<string, unknown>): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value !== null && typeof value === 'object') {
      Object.entries(value).forEach(([key, inner]) => add(`${name}[${key}]`, inner));
    } else if (value !== null && value !== undefined) {
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
    }
  };
  Object.entries(query).forEach(([name, value]) => add(name.replace(/\[\]$/, ''), value));
  return pairs.join('&');
}

// must is the answer, as a type of the caller's: the document does not say what
// the site answers.
export function must<T>(result: { data?: unknown; error?: unknown }): T {
  if (result.error !== undefined) {
    throw new Error(JSON.stringify(result.error));
  }
  return result.data as T;
}

export type Post = { id: number; status: string; title: { raw?: string; rendered: string } };
