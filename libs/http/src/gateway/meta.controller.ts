import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Headers, Inject } from '@nestjs/common';
import { flowTemplateSchema } from '@assurance/contracts/flows/flow-template';
import { openApiDocument } from '@assurance/contracts/http/openapi';
import { API_VERSION } from '@assurance/contracts/http/routes/meta';
import { routes } from '@assurance/contracts/http/routes/routes';
import { policySchema } from '@assurance/contracts/policies/policy-schema';
import { pemOf } from '@assurance/event-sourcing/checkpoints/keys';
import { HEALTH, type Health, SETTINGS, type Settings, type Signers, SIGNERS } from '@assurance/event-sourcing/tokens';
import { VERSION } from '@assurance/kernel';
import { type Answer, answer } from '../answer';
import { Route } from '../route.decorator';
import { PublicDocument } from './public-document';

const HOUR = 'public, max-age=3600';

/** Information about the service. */
@Controller()
export class MetaController {
  /** Made at the first request, because the port is not known before. */
  private document: PublicDocument | null = null;
  private readonly flowTemplates = PublicDocument.json(flowTemplateSchema, HOUR);
  private readonly policies = PublicDocument.json(policySchema, HOUR);

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
  ready(): Answer {
    const problems = this.health.problems();
    return problems.length === 0 ? answer(200, 'OK') : answer(503, problems.join('; '), { 'retry-after': '5' });
  }

  @Route(routes.openapi)
  openapi(@Headers() headers: IncomingHttpHeaders): Promise<Answer> {
    this.document ??= PublicDocument.json(openApiDocument(this.settings), 'no-cache');
    return this.document.answerTo(headers);
  }

  @Route(routes.getVersion)
  version(): Answer {
    return answer(200, { version: VERSION, api_version: API_VERSION });
  }

  @Route(routes.signingKeys)
  signingKeys(): Answer {
    const keys = this.signers.map(({ key }, i) => ({
      id: key,
      algorithm: 'Ed25519',
      public_key: pemOf(key),
      current: i === 0,
    }));
    return answer(200, { keys }, { 'cache-control': 'no-cache' });
  }

  @Route(routes.flowTemplateSchema)
  flowTemplateSchema(@Headers() headers: IncomingHttpHeaders): Promise<Answer> {
    return this.flowTemplates.answerTo(headers);
  }

  @Route(routes.environmentPolicySchema)
  environmentPolicySchema(@Headers() headers: IncomingHttpHeaders): Promise<Answer> {
    return this.policySchema(headers);
  }

  @Route(routes.policySchema)
  policySchema(@Headers() headers: IncomingHttpHeaders): Promise<Answer> {
    return this.policies.answerTo(headers);
  }
}
