import { BASE } from '../api/client';
import { useOrg } from '../api/session';
import { CodeLines } from '../ui';
import { shellQuote } from './shell-quote';

interface Props {
  /** What the command does, such as `create an environment`. */
  readonly does: string;
  readonly method?: 'POST' | 'PUT';
  /** Names in the path below the API; `{org}` is the organization. */
  readonly path: string;
  readonly body: object;
  /** For a form: the field for the body, and a file if one is needed. */
  readonly form?: { readonly field: string; readonly file?: string };
}

/** A command that creates the first item of an empty list. */
export function Command({ does, method = 'PUT', path, body, form }: Props) {
  const org = encodeURIComponent(useOrg());
  const address = `${location.origin}${BASE}api/v2${path.replace('{org}', org)}`;
  const lines = [
    `curl -X ${method} ${shellQuote(address)} \\`,
    ...(form === undefined
      ? [
          `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
          `  -d ${shellQuote(JSON.stringify(body))}`,
        ]
      : [
          `  -H "Authorization: Bearer $KEY" \\`,
          `  -F ${shellQuote(`${form.field}=${JSON.stringify(body)}`)}${form.file === undefined ? '' : ` -F ${form.file}`}`,
        ]),
  ];
  return <CodeLines label={`Lines that ${does}`} text={lines.join('\n')} />;
}
