/** The header of requests from the pages. Pages of other origins cannot set it, because the service allows them no CORS request. */
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
 * Over https the name carries a prefix by which browsers refuse a cookie that another host, or plain http, tries to put in its place.
 *
 * @param publicUrl without a slash at its end; may carry a path
 */
function ownCookie(publicUrl: string, name: string): SessionCookie {
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const prefix = pathname === '/' ? '__Host-' : '__Secure-';
  return { name: `${secure ? prefix : ''}${name}`, path: pathname, secure };
}

/** The cookie that a browser keeps its session in. @param publicUrl as above */
export const sessionCookie = (publicUrl: string): SessionCookie => ownCookie(publicUrl, 'assurance_session');

/** The cookie of a sign-in at the OpenID Connect provider that is not finished. @param publicUrl as above */
export const signInCookie = (publicUrl: string): SessionCookie => ownCookie(publicUrl, 'assurance_sign_in');
