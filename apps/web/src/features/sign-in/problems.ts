/** Why the sign-in at the provider failed, by the word that the service puts into the address. */
const PROBLEMS: Readonly<Record<string, string>> = {
  away: 'The sign-in provider cannot be reached at the moment. Try again later, or sign in with an API key.',
  denied: 'The sign-in provider did not let you in, or you went back.',
  email: 'The sign-in provider does not say that you have an email address of a domain that may sign in here.',
  expired: 'Signing in took too long, or was begun in another browser. Try again.',
  failed: 'Signing in failed. Try again; if it happens again, tell your administrator the request below.',
  removed: 'Your user was removed. Ask your administrator.',
  taken: 'Another user signs in with that account already.',
  'too-many': 'Too many sign-ins failed. Try again in a minute.',
};

/** @param word the word in the address; an unknown word is no problem */
export function problemOf(word: string | null): string | null {
  return word !== null && Object.hasOwn(PROBLEMS, word) ? (PROBLEMS[word] ?? null) : null;
}
