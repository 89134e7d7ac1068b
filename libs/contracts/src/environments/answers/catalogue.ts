import { flowFields } from '../../flows/answers/flow';
import { pageExample, pageFields } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { component, either, integer, list, nullable, number, object, type TypeOf, oneOf } from '../../http/shape';
import { environmentAnswer } from './environment';

/** The most items of a list that is requested without a page. */
export const WHOLE_LIST_MAX = 1_000;

/** The list with `page` or `per_page`. */
export const environmentPage = component('EnvironmentPage', {
  ...pageFields,
  environments: list(environmentAnswer),
});
export type EnvironmentPage = TypeOf<typeof environmentPage>;
export const environmentList = either(list(environmentAnswer), environmentPage);

export const flowListItem = component('FlowListItem', {
  ...flowFields,
  latest_activity_at: number('When the flow, one of its trails or artifacts last changed, in epoch seconds.'),
  latest_state: nullable(
    oneOf(
      ['COMPLIANT', 'NON-COMPLIANT', 'INCOMPLETE'],
      'Of the trail in which something happened last; null while there is none.',
    ),
  ),
});
export type FlowListItem = TypeOf<typeof flowListItem>;

/** A page with `data` and `pagination`: the second shape of pages in the API. */
export const flowPage = component('FlowPage', {
  data: list(flowListItem),
  pagination: object({ page: integer(), page_count: integer('How many pages there are.'), total: integer() }),
});
export type FlowPage = TypeOf<typeof flowPage>;
export const flowList = either(list(flowListItem), flowPage);

const { last_deployment_at: _, ...flow } = examples.flow;

export const environmentPageExample: EnvironmentPage = {
  ...pageExample,
  environments: [examples.environment],
};

export const flowPageExample: FlowPage = {
  data: [{ ...flow, latest_activity_at: 1700000889.5, latest_state: 'COMPLIANT' }],
  pagination: { page: 1, page_count: 1, total: 1 },
};
