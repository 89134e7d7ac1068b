import { Hash, SafeLink } from '../ui';

interface Props {
  readonly sha: string;
  readonly url?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly author?: string | null | undefined;
}

/** A commit: the first line of its message, its author, and its digits. */
export function CommitLine({ sha, url, message, author }: Props) {
  if (sha === '') return <span className="quiet">unknown</span>;
  const [subject = ''] = (message ?? '').split('\n', 1);
  return (
    <span className="pile">
      {subject !== '' && (
        <SafeLink href={url}>
          <bdi>{subject}</bdi>
        </SafeLink>
      )}
      <span className="line small quiet">
        <Hash value={sha} kind="commit" href={subject === '' ? url : null} />
        {author != null && author !== '' && <bdi>{nameOf(author)}</bdi>}
      </span>
    </span>
  );
}

/** Returns `Ada` for `Ada <ada@example.com>`. */
function nameOf(author: string): string {
  const text = author.trimEnd();
  const address = text.indexOf('<', text.lastIndexOf('>', text.length - 2) + 1);
  return (text.endsWith('>') && address !== -1 && text.slice(0, address).trimEnd()) || author;
}
