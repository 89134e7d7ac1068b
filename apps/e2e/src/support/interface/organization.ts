import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { valueProblems } from '@assurance/testing/interface/values';
import { shape, TABLE } from '@assurance/testing/interface/table';
import type { Caller } from '../caller';
import type { Answer } from '../contract';

/** What a request sends besides its path. */
export interface Body {
  readonly json?: unknown;
  /** Fields of a form that are JSON. */
  readonly form?: Readonly<Record<string, unknown>>;
  /** Fields of a form that are files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Sends requests of the table's operations, and keeps what was sent and what is wrong with the answers. */
export class Client {
  /** The bodies that were sent, by operation. A form is its parts. */
  readonly sent = new Map<string, unknown[]>();
  readonly problems: { readonly operation: string; readonly what: string }[] = [];

  constructor(
    private readonly caller: Caller,
    /** The values for parameters of paths. */
    readonly names: Record<string, string>,
  ) {}

  /**
   * Sends a request of an operation. Holds what is sent, and the answer, to the table.
   *
   * @param more other parameters of the path than `names` has
   * @returns the answer's body
   */
  async send(
    operation: string,
    body: Body = {},
    more: Readonly<Record<string, string>> = {},
    query = '',
  ): Promise<unknown> {
    const entry = TABLE[operation];
    if (entry === undefined) throw new Error(`the table has no ${operation}`);
    const [method = '', path = ''] = operation.split(' ');
    const values: Readonly<Record<string, string>> = { ...this.names, ...more };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name] ?? `no-${name}`));
    const whole = body.form === undefined ? body.json : { ...body.form, ...body.files };
    this.sent.set(operation, [...(this.sent.get(operation) ?? []), whole]);
    const request = entry.body ?? entry.form;
    if (request !== undefined) this.note(operation, valueProblems(shape(request), whole, 'sent'));
    const bytes = { ...(body.form === undefined ? { json: body.json } : { form: formOf(body) }) };
    const answer = await this.sendTo(method, filled + query, entry.file !== undefined, bytes);
    if (![200, 201].includes(answer.status)) {
      this.note(operation, [`${query} answers ${answer.status} ${answer.text.slice(0, 300)}`]);
    } else if (entry.answer !== undefined) {
      this.note(operation, valueProblems(shape(entry.answer), answer.body, 'answer'));
    }
    return answer.body;
  }

  private async sendTo(
    method: string,
    path: string,
    isFile: boolean,
    sent: { readonly json?: unknown; readonly form?: FormData },
  ): Promise<Pick<Answer, 'status' | 'text' | 'body'>> {
    if (!isFile) return this.caller.send(method, path, sent);
    // Files are no JSON. One that is missing is an error, which is.
    try {
      await this.caller.bytes(path);
      return { status: 200, text: '', body: null };
    } catch (error) {
      return { status: 404, text: String(error), body: null };
    }
  }

  private note(operation: string, problems: readonly string[]): void {
    for (const what of new Set(problems)) this.problems.push({ operation, what });
  }
}

/** Escapes a value for a path. Clients send the slash in the name of a repository as it is. */
const escaped = (value: string) => value.split('/').map(encodeURIComponent).join('/');

function formOf({ form = {}, files = {} }: Body): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.set(name, JSON.stringify(value));
  for (const [name, text] of Object.entries(files)) body.set(name, new Blob([text]), `${name}.txt`);
  return body;
}

/** The id of a repository of `acme`. */
export async function repoIdOf(caller: Caller, name: string): Promise<string> {
  const { repos } = await caller.get<RepoPage>(`/repos/acme?name=${encodeURIComponent(name)}`);
  return repos[0]?.id ?? '';
}
