import { BASE } from '../api/client';

/** The path of a page from the link of an answer (`html_url`), below the base path. The host of the link does not matter. */
export function pageOf(html: string | null | undefined): string | null {
  if (html == null || !URL.canParse(html)) return null;
  const { pathname, search } = new URL(html);
  return pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}${search}` : null;
}
