export { actorsOf, type NameOf } from './actors';
export { aggregateNamed as headNamed, holderOf } from './named';
