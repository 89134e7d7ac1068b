import { routes } from '@assurance/contracts/http/routes/routes';
import { err, ok } from '@assurance/kernel';
import { type Refusal, refusalAnswer, RefusalError, unwrap } from './refusals';

const unknown: Refusal = { kind: 'environment-unknown', name: 'prod', org: 'acme' };

describe('a refusal', () => {
  it.each<[Refusal, number, string]>([
    [{ kind: 'lost-race' }, 409, 'Somebody else changed this at the same moment. Try again'],
    [{ kind: 'too-busy' }, 503, 'The service has more to do than it takes at once. Try again in a moment'],
    [unknown, 404, "Environment named 'prod' does not exist for organization 'acme'"],
    [{ kind: 'environment-archived', name: 'prod' }, 404, "Environment named 'prod' has been archived"],
    [{ kind: 'flow-unknown', name: 'f', org: 'acme' }, 404, "Flow named 'f' does not exist for organization 'acme'"],
    [{ kind: 'flow-archived', name: 'f' }, 400, "Flow named 'f' has been archived: nothing new can be added to it"],
    [
      { kind: 'trail-unknown', name: 't', org: 'acme', flow: 'f' },
      404,
      "Trail with name 't' does not exist for Organization 'acme' and Flow 'f'",
    ],
    [
      { kind: 'artifact-unknown', fingerprint: 'abcde', org: 'acme', flow: 'f' },
      404,
      "Artifact with fingerprint 'abcde' does not exist in flow 'f' belonging to organization 'acme'",
    ],
    [{ kind: 'search-empty', text: 'abcde' }, 404, "No matches for 'abcde'."],
    [
      { kind: 'template-invalid', errors: { '': 'It is broken', 'trail.artifacts': 'Input should be a list' } },
      400,
      '2 validation errors for Template\nIt is broken\ntrail.artifacts: Input should be a list',
    ],
    [{ kind: 'repo-unknown', name: 'a/b' }, 404, "Repo 'a/b' not found"],
    [
      {
        kind: 'repo-ambiguous',
        name: 'a/b',
        repos: [
          { id: '1', url: 'https://github.com/a/b', provider: 'github' },
          { id: '2', url: '', provider: null },
        ],
      },
      400,
      "Multiple repos named 'a/b' exist (github, none). Specify the 'provider' query parameter to choose one, or the 'id': 1 (https://github.com/a/b), 2",
    ],
    [
      { kind: 'snapshot-unknown', org: 'acme', expression: 'prod#-1', resolved: 'prod#0', count: 0 },
      404,
      "Org: 'acme'. Snapshot 'prod#-1' resolves to 'prod#0'. len(snapshots) == 0. Indexes are 1-based",
    ],
  ])('%j has its text', (refusal, status, message) => {
    const headers = ['lost-race', 'too-busy'].includes(refusal.kind) ? { headers: { 'retry-after': '1' } } : {};
    expect(refusalAnswer(refusal, null)).toEqual({ status, body: { message }, ...headers });
  });

  it('echoes at most 100 characters of a value', () => {
    const long = 'x'.repeat(5_000);
    expect(refusalAnswer({ kind: 'repo-unknown', name: long }, null).body.message).toBe(
      `Repo '${'x'.repeat(100)}' not found`,
    );
  });

  it('has another text on a route of the specification', () => {
    expect(refusalAnswer(unknown, routes.reportDocker).body.message).toBe('Environment not found');
    expect(refusalAnswer(unknown, routes.getEnvironment).body.message).not.toBe('Environment not found');
    const repo: Refusal = { kind: 'repo-unknown', name: 'a/b' };
    expect(refusalAnswer(repo, routes.listRepoDeployments).body.message).toBe('Repo not found');
  });

  it('of bad input speaks as its route does, and has errors only where there are some', () => {
    expect(refusalAnswer({ kind: 'invalid', errors: { a: 'b' } }, routes.reportDocker).body).toEqual({
      message: 'Invalid report data',
      errors: { a: 'b' },
    });
    const errors = { 'triggers.0': 'Input should be a word', name: 'Field required' };
    expect(refusalAnswer({ kind: 'invalid', errors }, routes.putNotification).body).toEqual({
      message: 'Input payload validation failed: triggers.0 Input should be a word',
      errors,
    });
    expect(refusalAnswer({ kind: 'invalid', errors }, routes.renameFlow).body).toEqual({
      message: 'Input payload validation failed',
      errors,
    });
    expect(refusalAnswer({ kind: 'invalid', errors: {} }, null).body).toEqual({
      message: 'Input payload validation failed',
    });
    const wrong = refusalAnswer(
      { kind: 'environment-wrong-kind', expected: 'K8S', actual: 'docker' },
      routes.reportDocker,
    );
    expect(wrong).toEqual({
      status: 400,
      body: {
        message: 'Invalid report data',
        errors: { type: "The environment is of type 'K8S', the report of type 'docker'" },
      },
    });
  });

  it('leaves a result by an error, a value as it is', () => {
    expect(unwrap(ok(7))).toBe(7);
    expect(() => unwrap(err(unknown))).toThrow(RefusalError);
  });
});
