import { Controller, Inject } from '@nestjs/common';
import { flowTemplateSchema, openApiDocument, policySchema, routes } from '@assurance/contracts-http';
import {
  type Answer,
  answer,
  HEALTH,
  type Health,
  Route,
  SETTINGS,
  type Settings,
  type Signers,
  SIGNERS,
} from '@assurance/http';
import { pemOf } from '@assurance/storage-records';

/** Information about the service, without a key. */
@Controller()
export class MetaController {
  /** Made when it is first asked for: only then is the port known. */
  private document: object | null = null;

  constructor(
    @Inject(HEALTH) private readonly health: Health,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(SIGNERS) private readonly signers: Signers,
  ) {}

  @Route(routes.live)
  live(): Answer {
    return answer(200, 'OK');
  }

  @Route(routes.ready)
  async ready(): Promise<Answer> {
    const problems = await this.health.problems();
    return problems.length === 0 ? answer(200, 'OK') : answer(503, problems.join('; '), { 'retry-after': '5' });
  }

  @Route(routes.openapi)
  openapi(): Answer {
    this.document ??= openApiDocument(this.settings);
    return answer(200, this.document, { 'cache-control': 'no-cache' });
  }

  @Route(routes.signingKeys)
  signingKeys(): Answer {
    const keys = this.signers.map(({ key }, i) => ({
      ...{ id: key, algorithm: 'Ed25519', public_key: pemOf(key) },
      current: i === 0,
    }));
    return answer(200, { keys }, { 'cache-control': 'no-cache' });
  }

  @Route(routes.flowTemplateSchema)
  flowTemplateSchema(): Answer {
    return answer(200, flowTemplateSchema, { 'cache-control': 'public, max-age=3600' });
  }

  @Route(routes.environmentPolicySchema)
  environmentPolicySchema(): Answer {
    return this.policySchema();
  }

  @Route(routes.policySchema)
  policySchema(): Answer {
    return answer(200, policySchema, { 'cache-control': 'public, max-age=3600' });
  }
}
