import type { CommitInfo } from '@assurance/contracts-events';
import type { CommitInfoAnswer } from '@assurance/contracts-http';

/** A commit as the wire shows it (specification 2.2). */
export function commitAnswer({ authorUsername, parents, ...commit }: CommitInfo): CommitInfoAnswer {
  const { sha1, message, author, branch, timestamp, url } = commit;
  return {
    sha1,
    message,
    author,
    branch,
    timestamp,
    url,
    ...(authorUsername === undefined ? {} : { author_username: authorUsername }),
    ...(parents === undefined ? {} : { parents: [...parents] }),
  };
}
