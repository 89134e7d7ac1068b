import type { DeliveryFigures } from '@assurance/contracts/deployments/answers/metrics';
import type { Environment } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { environment } from '@assurance/environments/domain/environment';
import { placesOf } from '@assurance/environments/domain/members';
import { pageFields, pageOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { idsOf, listRepos } from '@assurance/flows/lookups/repos';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { deploymentsView } from './deployments/follow';
import { type Bucket, deploymentFigures, figuresSum } from './figures/read';
import type { Figures } from './figures/rows';
import { SKETCH_ERROR } from './figures/sketch';
import { distributionOf } from './metrics';

type Grouping = 'environment' | 'repository';

/** An environment or repository, and the filter by which its figures are read. */
interface ComparedGroup {
  readonly name: string;
  readonly id: string | null;
  readonly filter: { readonly repos: readonly string[] | null; readonly environments: readonly string[] | null };
}

/**
 * Gets one page of environments or repositories with their figures of a window, and of an equally long window before it. The work per row does not
 * grow with the number of deployments.
 */
export class GetDeliveryFigures extends queryBy<
  { by: Grouping; window: Bucket; page: PageRequest },
  ViewAnswer<Omit<DeliveryFigures, 'start' | 'end'>>
>() {}

@QueryHandler(GetDeliveryFigures)
export class GetDeliveryFiguresHandler extends ViewHandler implements IQueryHandler<GetDeliveryFigures> {
  async execute({ caller, by, window, page }: GetDeliveryFigures) {
    const org = caller.org.id;
    const { all, count } = await (by === 'environment' ? this.environments(org, page) : this.repositories(org, page));
    const before = { from: window.from - (window.to - window.from), to: window.from };
    const { value: figures, behind } = await this.views.read(deploymentsView, caller, async (documents) => {
      const read = [];
      for (const { name, id, filter } of all) {
        const [earlier, now] = await deploymentFigures(documents, { org, ...filter }, [before, window]);
        read.push({ name, id, ...comparedAnswer(now), before: comparedAnswer(earlier) });
      }
      return read;
    });
    return { value: { ...pageFields(page, count), relative_error: SKETCH_ERROR, figures }, behind };
  }

  /** Returns environments that are not archived, by name. The filter of a logical environment selects its members. */
  private async environments(org: string, page: PageRequest) {
    const listing = { where: { org, archived: false }, order: orderBy('name'), matches: null };
    const states = this.ports.documents.collection(environment.states);
    const { documents, count } = await pageOf<Environment>(states, listing, page);
    const all = documents.map(({ doc }): ComparedGroup => {
      return { name: doc.name, id: null, filter: { repos: null, environments: placesOf(doc) } };
    });
    return { all, count };
  }

  private async repositories(org: string, page: PageRequest) {
    const { repos, count } = await listRepos(this.ports.documents, { org }, page, 'asc');
    const all = repos.map((repo): ComparedGroup => {
      return { name: repo.name, id: repo.id, filter: { repos: idsOf(repo), environments: null } };
    });
    return { all, count };
  }
}

function comparedAnswer(figures: Figures = figuresSum([])): DeliveryFigures['figures'][number]['before'] {
  const { deployments, rollbacks, lead } = figures;
  return {
    deployments,
    rollbacks,
    change_failure_rate: deployments === 0 ? null : rollbacks / deployments,
    lead_time: distributionOf(lead),
  };
}
