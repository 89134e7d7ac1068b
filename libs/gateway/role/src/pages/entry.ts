/**
 * The entry page as it is served: its `<base>`, by which it finds its files and the API, says where the pages are.
 *
 * @param built the entry page as the build made it
 * @param publicUrl without a slash at its end; may carry a path
 */
export function entryPage(built: string, publicUrl: string): string {
  const path = new URL(`${publicUrl}/`).pathname.replaceAll('&', '&amp;');
  return built.replace(/<base [^>]*>/, () => `<base href="${path}" />`);
}

/** Whether a request comes from a browser that opens a page: only then it asks for HTML by name. */
export function wantsPage(accept: string | undefined, path: string): boolean {
  return accept?.toLowerCase().includes('text/html') === true && !/^\/api(\/|$)/.test(path);
}
