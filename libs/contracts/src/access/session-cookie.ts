/** The header that requests from the pages carry. Pages of other origins cannot set it, because the service allows them no CORS request. */
export const PAGE_HEADER = 'x-assurance-page';

/** A cookie of this service. */
export interface SessionCookie {
  readonly name: string;
  /** The path of the public URL. The browser sends the cookie only to this path. */
  readonly path: string;
  /** The browser sends the cookie over TLS only. */
  readonly secure: boolean;
}

/**
 * Returns a cookie of this service. Over https its name has a prefix: browsers then refuse a cookie of this name from another host or from plain
 * http.
 *
 * @param publicUrl without a slash at its end; may have a path
 */
function ownCookie(publicUrl: string, name: string): SessionCookie {
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const prefix = pathname === '/' ? '__Host-' : '__Secure-';
  return { name: `${secure ? prefix : ''}${name}`, path: pathname, secure };
}

/** The cookie of a browser's session. @param publicUrl as above */
export const sessionCookie = (publicUrl: string): SessionCookie => ownCookie(publicUrl, 'assurance_session');

/** The cookie of an unfinished sign-in at the OpenID Connect provider. @param publicUrl as above */
export const signInCookie = (publicUrl: string): SessionCookie => ownCookie(publicUrl, 'assurance_sign_in');
