import type { CommitInfo } from '@assurance/contracts/events/commit';
import type { AttestedCommitAnswer, CommitInfoAnswer } from '@assurance/contracts/http/answers/common';
import { plausibleTime } from '@assurance/kernel';

/** Builds the API answer for a commit (specification 2.2). */
export function commitAnswer({
  authorUsername,
  parents,
  verified,
  signatureState,
  ...commit
}: CommitInfo): CommitInfoAnswer {
  const { sha1, message, author, branch, timestamp, url } = commit;
  return {
    sha1,
    message,
    author,
    branch,
    timestamp: timestamp === null ? null : (plausibleTime(timestamp) ?? 0),
    url,
    ...(authorUsername === undefined ? {} : { author_username: authorUsername }),
    ...(parents === undefined ? {} : { parents: [...parents] }),
    ...(verified === undefined ? {} : { verified }),
    ...(signatureState === undefined ? {} : { signature_state: signatureState }),
  };
}

/** The same for clients that expect no null in texts and time. */
export function attestedCommitAnswer(commit: CommitInfo): AttestedCommitAnswer {
  const { message, author, branch, timestamp, ...rest } = commitAnswer(commit);
  const fields = { message: message ?? '', author: author ?? '', branch: branch ?? '', timestamp: timestamp ?? 0 };
  return { ...rest, ...fields };
}
