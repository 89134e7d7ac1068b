export { actorsOf, type NameOf } from './actors';
export { aggregateNamed, holderOf } from './named';
