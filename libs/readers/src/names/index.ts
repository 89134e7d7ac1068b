export { actorsOf, type NameOf } from './actors';
export { headNamed, holderOf } from './named';
