import type { PolicyDraftAnswer } from '@assurance/contracts/policies/answers/draft';
import { type Environment, environmentStates } from '@assurance/contracts/environments/documents';
import { streams } from '@assurance/contracts/events/streams';
import type { Policy } from '@assurance/contracts/policies/documents';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import { Evaluator } from '@assurance/evaluator';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { errorsBelow } from '@assurance/http/errors-below';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { err, ok, type Result, sha256 } from '@assurance/kernel';
import { policyAttachments } from '@assurance/policies/domain/policy-uses';
import { findControl, findPolicy } from '@assurance/policies/lookups/policies';
import { Bills } from '@assurance/policies/lookups/bills';
import { PoliciesInForce } from '@assurance/policies/lookups/policy-rules';
import { unknownControls } from '@assurance/policies/lookups/unknown-controls';
import { getAll, pagesBy } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { deploymentsView } from './deployments/follow';
import { type Draft, judgeWithDraft } from './drafts/judge-by-both';
import { ENVIRONMENTS_MAX, judgedArtifacts } from './drafts/judged-artifacts';
import { draftAnswer } from './drafts/answer';

const WINDOW_SECONDS = 30 * 86_400;
const PIECE = 500;

/** Evaluates what a draft of a policy would change. Nothing is stored. */
export class JudgePolicyDraft extends queryBy<
  {
    policy: string;
    yaml: string;
    /** Names. If empty, the environments to which the policy is attached. */
    environments: readonly string[];
  },
  Result<ViewAnswer<PolicyDraftAnswer>, Refusal>
>() {}

@QueryHandler(JudgePolicyDraft)
export class JudgePolicyDraftHandler extends ViewHandler implements IQueryHandler<JudgePolicyDraft> {
  constructor(
    private readonly policies: PoliciesInForce,
    private readonly bills: Bills,
    private readonly evaluator: Evaluator,
  ) {
    super();
  }

  async execute(query: JudgePolicyDraft): Promise<Result<ViewAnswer<PolicyDraftAnswer>, Refusal>> {
    const { caller } = query;
    const policy = await findPolicy(this.ports, caller.org, query.policy);
    if (!policy.ok) return policy;
    const draft = await this.read(caller, policy.value, query.yaml);
    if (!draft.ok) return draft;
    const all = await this.environments(caller, policy.value.id, query.environments);
    if (!all.ok) return all;
    const environments = all.value.slice(0, ENVIRONMENTS_MAX);
    const end = this.clock.now() / 1_000;
    const window = { start: end - WINDOW_SECONDS, end };
    const { documents } = this.ports;
    const { value: artifacts, behind } = await this.views.read(deploymentsView, caller, (view) =>
      judgedArtifacts({ documents, view }, caller.org.id, environments, window),
    );
    const { evaluator, policies, bills, clock } = this;
    const comparedCandidates = await judgeWithDraft(
      { documents, evaluator, policies, bills, clock },
      draft.value,
      artifacts.items,
    );
    const leftOut = { environments: all.value.length - environments.length, ...artifacts.left };
    const version = policy.value.version;
    return ok({
      value: draftAnswer({ version, environments, window, judged: comparedCandidates, left: leftOut }),
      behind,
    });
  }

  /** Reads the draft as the next version of the policy, which does not exist. */
  private async read({ org }: Caller, { id, version }: Policy, yaml: string): Promise<Result<Draft, Refusal>> {
    const read = await this.evaluator.readYaml(org.id, 'policy', new TextEncoder().encode(yaml));
    if (!read.ok) return err({ kind: 'invalid', errors: errorsBelow('policy_yaml', read.refusal) });
    const { rules } = read.value;
    const exists = async (identifier: string) => (await findControl(this.ports, org, identifier)).ok;
    const errors = await unknownControls('policy_yaml', rules, exists);
    if (Object.keys(errors).length > 0) return err({ kind: 'invalid', errors });
    // The costs of rules are cached by id and version, so a draft has its own id.
    return ok({ org: org.id, policy: id, id: `${id}/${sha256(yaml)}`, version: version + 1, rules });
  }

  /** Finds the environments, by name. Logical environments are not judged, only their members. */
  private async environments(
    { org }: Caller,
    policy: string,
    names: readonly string[],
  ): Promise<Result<readonly Environment[], Refusal>> {
    if (names.length === 0) return ok(await this.findEnvironments(policy));
    const byId = new Map<string, Environment>();
    for (const name of names) {
      const result = await findEnvironment(this.ports, org, name);
      if (!result.ok) return result;
      if (result.value.type === 'logical') {
        const problem = `'${name}' is a logical environment: name its members`;
        return err({ kind: 'invalid', errors: { environments: problem } });
      }
      byId.set(result.value.id, result.value);
    }
    return ok([...byId.values()]);
  }

  private async findEnvironments(policy: string): Promise<readonly Environment[]> {
    const { documents } = this.ports;
    const ids: string[] = [];
    for await (const page of pagesBy(documents.collection(policyAttachments), { policy }, 'environment', PIECE))
      ids.push(...page.map(({ doc }) => streams.environment(doc.environment)));
    const states = [...(await getAll(documents.collection(environmentStates), ids)).values()];
    return states
      .filter(({ archived, type }) => !archived && type !== 'logical')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
