import { BASE } from '../api/client';

/** The path below the base of a page that an answer links to (`html_url`), whichever host the service is known by. */
export function pageOf(html: string | null | undefined): string | null {
  if (html == null || !URL.canParse(html)) return null;
  const { pathname, search } = new URL(html);
  return pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}${search}` : null;
}
