import type { CommitInfo } from '@assurance/contracts/events/commit';
import type { CommitInput } from '@assurance/contracts/flows/bodies/artifact';

/** Converts a Git commit of a request into the form that events store. */
export function commitInfoOf(input: CommitInput): CommitInfo {
  const { sha1, message, author, branch, timestamp, url, author_username, parents, verified, signature_state } = input;
  return {
    sha1,
    message: message ?? null,
    author: author ?? null,
    branch: branch ?? null,
    timestamp: timestamp ?? null,
    url: url ?? null,
    ...(author_username == null ? {} : { authorUsername: author_username }),
    ...(parents == null ? {} : { parents }),
    ...(verified == null ? {} : { verified }),
    ...(signature_state == null ? {} : { signatureState: signature_state }),
  };
}
